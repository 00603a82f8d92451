"""Evidence in Python, from `ast` alone."""
