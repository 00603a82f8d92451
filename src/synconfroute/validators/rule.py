"""A verdict as a pure function of language and texts: a buffer that lives for one question.

It runs in the parser process: nothing else should call it on text that it does not trust.
"""

from synconfroute.validators.buffer import Buffer
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.languages import no_parser
from synconfroute.validators.verdict import Verdict, unknown


def judge(language: str, insertion: Insertion) -> Verdict:
    """Say what inserting the text does to the buffer. Raises nothing.

    Args:
        language: LSP language id.
        insertion: the buffer, the text, and the buffer before the user's edit, where known.
    """
    if (reason := no_parser(language)) is not None:
        return unknown(reason)
    try:
        buffer = Buffer(language)
    except Exception as error:
        # A grammar that does not load must not take the other languages with it.
        return unknown(f"the {language} parser failed: {type(error).__name__}")
    if insertion.before is not None:
        buffer.update(insertion.before)
    buffer.update(insertion.prefix + insertion.suffix)
    return buffer.judge(len(insertion.prefix), insertion.text)
