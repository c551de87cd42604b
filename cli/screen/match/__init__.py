"""A match under way on the screen: board, history, hand, clocks, and the line that is typed."""
