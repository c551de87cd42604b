"""The Asks of the rules: one module each, with its messages, its script, its replies and its words."""
