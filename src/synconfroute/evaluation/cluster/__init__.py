"""`eval run --on`: the nodes of a Ray cluster ask and execute (extra `cluster`)."""
