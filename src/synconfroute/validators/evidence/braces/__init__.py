"""Evidence in languages with braces, by tree-sitter, from the block around the text alone."""
