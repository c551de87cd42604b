"""Cards under keys and what is proved about them, each construction with its source."""
