"""Private, local-first code completion."""

__version__ = "0.1.0"
