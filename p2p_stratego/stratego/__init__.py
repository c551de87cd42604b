"""Stratego, for two players: 20 pieces a side, the classic 40, and every other army."""
