"""The analysis of a finished match: costs of decisions, turning points, luck, as text and as JSON."""
