"""From a command to a table: invites, codes, calls, the lobby."""
