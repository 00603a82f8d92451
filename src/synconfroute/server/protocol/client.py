"""What an editor is and can, as far as it matters here, read from what it says of itself."""

from dataclasses import dataclass, field
from typing import Any

from synconfroute.server.protocol.leniency import Json, member, text_in

_SILENT_ABOUT_INLINE = frozenset({"emacs"})
"""Clients that show inline completions and do not say so: lsp-mode. Eglot calls itself "Eglot"."""

_OF_THE_EDITOR = ("provenance", "status", "client", "editorInfo", "editorPluginInfo")
"""Initialization options that are no settings."""


@dataclass(frozen=True, slots=True)
class Client:
    """One editor.

    Attributes:
        name: what it calls itself.
        version: its version, as it likes to write it.
        shows_inline: it says that it shows inline completions.
        shows_lists: it shows lists of completions.
        reads_markdown: documentation in such a list may be Markdown.
        shows_progress: it shows what takes long, where we say so.
        shows_notebooks: it can send notebooks as such.
        answers_configuration: it can be asked for its settings.
        registers_configuration: it tells of changed settings only where we register for that.
        plugin: the name of our own extension in it; "" where there is none.
        plugin_version: that extension's version.
        wants_status: it wants `didChangeStatus`.
        wants_provenance: it wants `synconfroute/provenance`.
        options: the settings in its initialization options.
    """

    name: str = ""
    version: str = ""
    shows_inline: bool = False
    shows_lists: bool = False
    reads_markdown: bool = False
    shows_progress: bool = False
    shows_notebooks: bool = False
    answers_configuration: bool = False
    registers_configuration: bool = False
    plugin: str = ""
    plugin_version: str = ""
    wants_status: bool = False
    wants_provenance: bool = False
    options: dict[str, Any] = field(default_factory=dict)

    def wants_list(self, setting: str) -> bool:
        """Offer completions in a list? `setting` is `typing.completion_list`.

        Where inline completions are shown too, the same text would come twice.
        """
        if setting != "auto":
            return setting == "on"
        inline = self.shows_inline or self.name in _SILENT_ABOUT_INLINE
        return self.shows_lists and not inline


def client_of(initialize: Json) -> Client:
    """Read an `initialize` request; what is not as it should be counts as not said."""
    params = member(initialize, "params")
    can = member(params, "capabilities")
    formats = member(can, "textDocument", "completion", "completionItem", "documentationFormat")
    given = member(params, "initializationOptions")
    options = dict(given) if isinstance(given, dict) else {}
    own = {name: options.pop(name, None) for name in _OF_THE_EDITOR}
    return Client(
        name=text_in(params, "clientInfo", "name"),
        version=text_in(params, "clientInfo", "version"),
        shows_inline=isinstance(member(can, "textDocument", "inlineCompletion"), dict),
        shows_lists=isinstance(member(can, "textDocument", "completion"), dict),
        reads_markdown=isinstance(formats, list) and "markdown" in formats,
        shows_progress=member(can, "window", "workDoneProgress") is True,
        shows_notebooks=isinstance(member(can, "notebookDocument"), dict),
        answers_configuration=member(can, "workspace", "configuration") is True,
        registers_configuration=(
            member(can, "workspace", "didChangeConfiguration", "dynamicRegistration") is True
        ),
        plugin=text_in(own, "client", "name"),
        plugin_version=text_in(own, "client", "version"),
        wants_status=own["status"] is True,
        wants_provenance=own["provenance"] is True,
        options=options,
    )
