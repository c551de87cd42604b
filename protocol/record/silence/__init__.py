"""A silent seat among three or more (SPEC 10.9): the rules, the Gone, the absences in the records."""
