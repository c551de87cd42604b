"""Playing a match from the command line: introductions, runner, bots."""
