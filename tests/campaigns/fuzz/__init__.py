"""Readers of bytes from elsewhere, fed by a fuzzer that follows the branches an input takes (atheris)."""
