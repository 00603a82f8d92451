"""GPU hours."""

from dataclasses import dataclass

DAYS_A_MONTH = 365.25 / 12
WORKDAYS_A_MONTH = DAYS_A_MONTH * 5 / 7


@dataclass(frozen=True, slots=True)
class GpuHours:
    """What some replicas take.

    Attributes:
        day: a day, running all of it.
        month: a month, running all of it.
        workday: a day of work, running only in its hours.
        month_of_workdays: the same of a month, weekends left out.
    """

    day: float
    month: float
    workday: float
    month_of_workdays: float


def gpu_hours(replicas: int, gpus: int, hours: float) -> GpuHours:
    """GPU hours of replicas.

    Args:
        replicas: how many.
        gpus: of each.
        hours: of work in a day.
    """
    all_of_them = replicas * gpus
    return GpuHours(
        day=24.0 * all_of_them,
        month=24.0 * all_of_them * DAYS_A_MONTH,
        workday=hours * all_of_them,
        month_of_workdays=hours * all_of_them * WORKDAYS_A_MONTH,
    )
