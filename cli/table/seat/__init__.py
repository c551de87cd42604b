"""A player at the table: the controller of one match, set-up, clocks, coach, watching."""
