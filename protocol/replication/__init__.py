"""One copy of a match in step with the others: gossip, presence, clocks, a return match."""
