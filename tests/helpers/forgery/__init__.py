"""Records that nobody honest writes, and what must hold of every audit of them."""
