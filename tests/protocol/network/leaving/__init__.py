"""Who is away, silent or gone, and what all copies make of it."""
