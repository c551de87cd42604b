"""The turn of a power: its tile, each kind of action, and the answers of others."""
