"""Every error that this project raises, in one tree.

    SynConfRouteError                one sentence for the user: what is wrong, what to do
    ├── UsageError                   the command was asked for something that cannot be (exit 2)
    ├── DocumentError                a file is missing, binary, too big, or lacks the position
    ├── SettingsError                a settings file cannot be read
    ├── EvaluationError              a benchmark, a file of predictions or a run cannot be used
    ├── LedgerError                  the ledger cannot be written: nothing may leave
    ├── Withheld                     what would leave looks like it holds a secret: it may not
    ├── EngineError                  the embedded engine
    │   ├── WeightsMissing           no model file here yet
    │   ├── WeightsDamaged           a model file is not what its checksum says
    │   └── EngineFailed             the engine process does not start or has died
    └── ModelServerError             a model server, at an address that the sentence names
        ├── ServerUnreachable        nothing answers there, or the connection broke
        │   └── StaleConnection      it was closed while it waited for a request: ask anew
        ├── KeyRefused               401, 403
        ├── ModelMissing             the server does not have the model
        ├── PromptTooLong            the prompt exceeds the model's context
        ├── ServerBusy               429, 503, loading; may carry how long to wait
        ├── RequestRefused           400 and the like: this server cannot do what was asked
        ├── ServerFault              500, an error inside a stream
        └── BadAnswer                not the protocol: HTML, half a line, something else

The text of an error never holds source code or keys.
Outcomes of validation are values (`Verdict`), not errors.
"""


class SynConfRouteError(Exception):
    """Something a user can act on. `str(error)` is one sentence without source code or keys."""


class UsageError(SynConfRouteError):
    """The command was asked for something that cannot be."""


class DocumentError(SynConfRouteError):
    """A file is missing, binary, too big, or lacks the position asked for."""


class SettingsError(SynConfRouteError):
    """A settings file cannot be read."""


class EvaluationError(SynConfRouteError):
    """A benchmark, a file of predictions or a run of the evaluation cannot be used."""


class LedgerError(SynConfRouteError):
    """The ledger cannot be written; nothing may leave the machine."""


class Withheld(SynConfRouteError):
    """What would leave the machine looks like it holds a secret, or could not be looked through."""


class EngineError(SynConfRouteError):
    """Something about the embedded engine."""


class WeightsMissing(EngineError):
    """The model file is not on this machine yet."""


class WeightsDamaged(EngineError):
    """A model file is not what its checksum says."""


class EngineFailed(EngineError):
    """The engine process does not start, or has died."""


class ModelServerError(SynConfRouteError):
    """Something about a model server."""


class ServerUnreachable(ModelServerError):
    """Nothing answers at the address, or the connection broke."""


class StaleConnection(ServerUnreachable):
    """A connection was closed while it waited for a request, of which nothing came back."""


class KeyRefused(ModelServerError):
    """The server refuses the key, or wants one."""


class ModelMissing(ModelServerError):
    """The server does not have the model."""


class PromptTooLong(ModelServerError):
    """The prompt exceeds the model's context."""


class ServerBusy(ModelServerError):
    """The server cannot take the request now.

    Attributes:
        retry_after: seconds the server asks to wait, or None where it does not say.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class RequestRefused(ModelServerError):
    """The server cannot do what was asked."""


class ServerFault(ModelServerError):
    """The server failed, before or inside its answer."""


class BadAnswer(ModelServerError):
    """What came back is not the protocol."""
