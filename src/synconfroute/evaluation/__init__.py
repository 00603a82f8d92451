"""Benchmarks and what belongs to them; the server never imports it (extra `eval`)."""
