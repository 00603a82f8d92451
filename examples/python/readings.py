"""Temperatures read from a sensor, in degrees."""


def above(readings, limit):
    """Return the readings above a limit."""
    return [reading for reading in readings if reading > limit]


def up_to(readings, limit):
    """Return the readings up to a limit."""
    return 


def mean(readings):
    """Return the mean of the readings."""
    return sum(readings) / len(readings)
