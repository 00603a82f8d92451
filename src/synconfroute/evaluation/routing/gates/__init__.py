"""Further gates that the paper tried and dropped (§4.4): lint, types, agreement."""
