"""Plays any game between peers that do not trust each other, and proves it afterwards."""
