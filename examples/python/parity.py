"""Even and odd numbers."""


def even(numbers):
    """Return the even numbers."""
    return [number for number in numbers if number % 2 == 0]


def odd(numbers):
    """Return the odd numbers."""
    return 


def count(numbers):
    """Return how many numbers there are."""
    return len(numbers)
