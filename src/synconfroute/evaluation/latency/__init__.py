"""How long models take to answer, asked one request after the other, warm."""
