"""Text around a hole as a vector: all-MiniLM-L6-v2, run by numpy."""
