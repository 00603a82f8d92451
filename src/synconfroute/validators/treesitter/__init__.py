"""Languages that tree-sitter reads: one core, and a description of each language."""
