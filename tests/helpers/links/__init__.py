"""Players with homes, joined by links that a test moves, or over loopback."""
