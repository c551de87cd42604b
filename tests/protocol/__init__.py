"""The protocol core, module by module, and the rows of the table of attacks that it answers."""
