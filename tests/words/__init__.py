"""The catalogues of `cli/locale`: how their sentences are found, written and checked."""
