"""Two rules in turn: each session gets one of them by chance, and sessions are what is compared.

Completions of one session are alike: the same person, code and hour. What one session came to is
one observation, however many completions it had.
"""
