"""Are verdicts right? On edits, published benchmarks and broken buffers, beside other methods."""
