"""Tests of protocol.rendezvous."""
