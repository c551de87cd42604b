"""How two programs find each other: invites, short codes, relays, routers, addresses."""
