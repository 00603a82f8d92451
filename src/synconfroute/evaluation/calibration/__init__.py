"""Thresholds from a benchmark, from stored answers, or from the user's own repository."""
