"""Games by the rules in Python, written down so that the rules in JavaScript can be held against them."""
