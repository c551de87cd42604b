"""Whole matches in one process under one seed, which drives network, disk, processes, clocks and chance."""
