"""A recorded or watched match on the screen, and as a film."""
