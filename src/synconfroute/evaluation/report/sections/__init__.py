"""The parts of the report, one a module: what was found, in words, tables and drawings."""
