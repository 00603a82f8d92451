"""What can be seen of the server from outside: metrics, spans, a page, and a comparison of rules.

Numbers only, made from what is counted and from provenance: no source code, no names of files.
"""
