"""How players sit down at a table."""
