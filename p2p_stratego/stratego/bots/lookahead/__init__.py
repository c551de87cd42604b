"""The search of the marshal, upon what it believes."""
