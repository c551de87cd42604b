"""Liar's Dice: everybody rolls in secret, bids about all dice, and somebody stops believing."""
