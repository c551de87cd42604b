"""A first day of Spies & Lies with a tutor and a coach, and advice in ordinary games."""
