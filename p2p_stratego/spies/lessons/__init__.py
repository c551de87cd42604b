"""What the coach says in games of SPIES!."""
