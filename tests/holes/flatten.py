def flatten(items):
    """Return a flat list of all values in a nested list."""
    result = []
    for item in items:
        if isinstance(item, list):
            ⟦result.extend(flatten(item))⟧
        else:
            result.append(item)
    return result
