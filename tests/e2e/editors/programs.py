"""Programs that may be absent: where one is, its tests are skipped with a reason."""

import os
import shutil

import pytest


def program(name: str, variable: str, how: str) -> str:
    """The path of a program: what the environment variable names, else what PATH has.

    Args:
        name: the command's name.
        variable: the environment variable that names another one.
        how: one sentence on how to get it, for the reason of the skip.
    """
    named = os.environ.get(variable, "")
    found = shutil.which(named or name)
    if found is None and named:
        pytest.fail(f"{variable} names {named}, which is no program")
    if found is None:
        pytest.skip(f"{name} is not installed: {how}")
    return found
