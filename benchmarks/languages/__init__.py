"""Further languages on real files: which files, how they are had, what is measured on them."""
