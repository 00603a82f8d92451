"""Scripts that are run in the Python of a program, to ask the program itself.

Each reads JSON from its input and writes a list of what is wrong as JSON, on its last line. They
import nothing of ours.
"""

from pathlib import Path

FOLDER = Path(__file__).parent
"""Of the scripts."""

ENVIRONMENT = {
    "DO_NOT_TRACK": "1",
    "HF_HUB_OFFLINE": "1",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_TARGET_DEVICE": "cpu",
}
"""So that nothing is fetched and nothing counted."""
