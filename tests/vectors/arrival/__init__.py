"""What writes the vectors of addresses, invites and meetings."""
