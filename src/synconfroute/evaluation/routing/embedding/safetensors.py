"""Reads tensors of 32-bit floats from a file in the safetensors format.

The format: eight bytes that say how long the header is (little endian), the header in JSON with the
type, shape and place of each tensor, then the bytes of all.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from synconfroute.errors import EvaluationError

if TYPE_CHECKING:
    import numpy as np

_LENGTH = 8


def read_floats(file: Path) -> "dict[str, np.ndarray]":
    """The tensors of the file that are 32-bit floats, by name.

    Raises:
        EvaluationError: it is no such file.
    """
    import numpy as np

    data = file.read_bytes()
    try:
        begin = _LENGTH + int.from_bytes(data[:_LENGTH], "little")
        header = json.loads(data[_LENGTH:begin])
        header.pop("__metadata__", None)
        return {
            name: np.frombuffer(
                data[begin + entry["data_offsets"][0] : begin + entry["data_offsets"][1]], "<f4"
            ).reshape(entry["shape"])
            for name, entry in header.items()
            if entry["dtype"] == "F32"
        }
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise EvaluationError(f"{file} is no safetensors file.") from error
