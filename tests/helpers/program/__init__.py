"""The program as a person meets it: commands, screens, terminals."""
