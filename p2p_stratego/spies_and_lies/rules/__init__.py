"""The rules of Spies & Lies: states, steps, notation and the view of one seat."""
