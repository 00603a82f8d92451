"""Witnesses: what is parseable yet suspicious. Evidence never changes a verdict."""
