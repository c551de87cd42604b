"""A match at the table, without a terminal: controller, actions, pages, status."""
