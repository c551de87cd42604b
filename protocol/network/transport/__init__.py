"""Transports: one module for each way of getting a stream of bytes to or from somebody; all of them wait."""
