"""Tests of the page's modules: `*.test.mjs` for node, and what holds of their sources."""
