"""Texts in llama.cpp's notation for grammars (GBNF)."""


def beginning(text: str) -> str:
    """A grammar of everything that begins with a text."""
    return f'root ::= "{quoted(text)}" [^\\x00]*'


def quoted(text: str) -> str:
    """A text between the double quotes of GBNF, which knows no escapes such as a form feed's."""
    special = {character for character in text if character in '"\\' or character < " "}
    return "".join(escaped(one) if one in special else one for one in text)


def escaped(character: str) -> str:
    """A character in the one notation that strings and classes of GBNF share."""
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
