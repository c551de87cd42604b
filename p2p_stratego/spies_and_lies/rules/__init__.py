"""The rules of Spies & Lies: states, steps, notation and what one seat may see."""
