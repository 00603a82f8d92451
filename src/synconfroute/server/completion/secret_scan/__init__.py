"""Does a prompt hold something that looks like a key, a password or a token?

`scan.py` finds; `formats.py` and `assigned.py` say what is looked for; `screening.py` does it to a
request that is about to leave.
"""
