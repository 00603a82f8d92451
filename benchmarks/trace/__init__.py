"""A typing trace: real code typed key by key by somebody who takes completions that fit.

What is typed is in `texts/` (`passages.py`), when and with which slips in `strokes.py`, what is
taken in `typist.py`. What the model writes is in `knowing.py`: it knows the code but for words
that nobody could guess. What a session comes to is in `account.py`. No product is known here: an
`Editor` types and says what it shows.
"""
