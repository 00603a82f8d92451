"""Answers of models to tasks: asked for as the server asks, recorded so that a run can go on."""
