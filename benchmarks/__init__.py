"""Speed, always against something named, measured in the same run: `python -m benchmarks`."""
