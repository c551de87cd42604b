"""Links between peers: channels, TLS, invites, introductions; only one module here awaits."""
