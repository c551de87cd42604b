"""What bots are worth, what they believe, and the numbers that the program brings for them."""
