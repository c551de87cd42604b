"""A first small battle of Stratego with a tutor and a coach, and advice in ordinary games."""
