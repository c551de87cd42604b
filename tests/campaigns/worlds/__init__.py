"""Every small world: all that can happen at a small table, with the real referee, session and gossip."""
