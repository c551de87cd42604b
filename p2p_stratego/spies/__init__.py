"""SPIES!: the secret services of five powers, 1933 to 1939."""
