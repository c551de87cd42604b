"""How two programs reach each other, and who is let in."""
