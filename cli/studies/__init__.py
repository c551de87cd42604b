"""What finished records teach: analysis, statistics, tournaments.  No match needs it."""
