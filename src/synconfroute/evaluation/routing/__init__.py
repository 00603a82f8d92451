"""Routing rules, replayed on stored answers of two models."""
