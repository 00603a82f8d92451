def memoize(function):
    """Decorator that remembers the results of function."""
    cache = {}

    def wrapper(n):
        if n not in cache:
            ⟦cache[n] = function(n)⟧
        return cache[n]

    return wrapper
