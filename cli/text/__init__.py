"""Text for a terminal: sanitizing, widths, layout, colours."""
