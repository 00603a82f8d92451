def even_numbers(numbers):
    """Return a list of the even numbers only."""
    return ⟦[n for n in numbers if n % 2 == 0]⟧


def odd_numbers(numbers):
    """Return a list of the odd numbers only."""
    return [n for n in numbers if n % 2 == 1]
