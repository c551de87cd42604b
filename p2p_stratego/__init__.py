"""The games: rules, boards, notation, views and bots.  Standard library only."""
