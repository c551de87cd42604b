"""Transports: a module for each way in which a stream of bytes begins; all of them wait."""
