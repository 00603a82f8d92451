"""Benchmarks, read from a folder that the user names, and holes of a repository."""
