"""Addresses, routers, proxies, relays and whole networks of the test's own."""
