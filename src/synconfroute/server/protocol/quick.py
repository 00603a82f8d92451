"""The messages that come and go with every key, read and written by hand.

Only what is exactly as expected is taken here; all else is left to the protocol's own types, which
know every variant and say what is wrong.
"""

from typing import Any

from lsprotocol import types

from synconfroute.server.protocol.leniency import Json

_MOST = 2**31 - 1
"""The greatest number that the protocol allows."""
_KINDS = {each.value: each for each in types.InlineCompletionTriggerKind}


def edit_of(params: Any) -> types.DidChangeTextDocumentParams | None:
    """The parameters of `textDocument/didChange`; None where they are not plain edits."""
    match params:
        case {
            "textDocument": {"uri": str(uri), "version": int(version)},
            "contentChanges": list(given),
            **more,
        } if not more and type(version) is int:
            changes = tuple(change for each in given if (change := _change_of(each)) is not None)
            if len(changes) < len(given):
                return None
            document = types.VersionedTextDocumentIdentifier(version, uri)
            return types.DidChangeTextDocumentParams(document, changes)
    return None


def question_of(params: Any) -> types.InlineCompletionParams | None:
    """The parameters of `textDocument/inlineCompletion`; None where there is more to them."""
    match params:
        case {
            "textDocument": {"uri": str(uri)},
            "position": place,
            "context": {"triggerKind": int(kind), **preview},
            **more,
        } if not (more or preview):
            position, trigger = _position_of(place), _KINDS.get(kind)
            if position is None or trigger is None or type(kind) is not int:
                return None
            context = types.InlineCompletionContext(trigger)
            document = types.TextDocumentIdentifier(uri)
            return types.InlineCompletionParams(context, document, position)
    return None


def written(answer: types.InlineCompletionList) -> Json:
    """An answer as JSON."""
    return {"items": [_item(each) for each in answer.items]}


def _item(item: types.InlineCompletionItem) -> Json:
    made: Json = {"insertText": item.insert_text}
    if item.range is not None:
        made["range"] = {"start": _place(item.range.start), "end": _place(item.range.end)}
    if (command := item.command) is not None:
        made["command"] = {"title": command.title, "command": command.command}
        if command.arguments is not None:
            made["command"]["arguments"] = [*command.arguments]
    return made


def _place(position: types.Position) -> Json:
    return {"line": position.line, "character": position.character}


def _change_of(given: Any) -> types.TextDocumentContentChangePartial | None:
    match given:
        case {"range": {"start": start, "end": end}, "text": str(text), **more}:
            first, last = _position_of(start), _position_of(end)
            length = more.pop("rangeLength", 0)  # deprecated, and sent by VS Code all the same
            plain = not more and type(length) is int and 0 <= length <= _MOST
            if plain and first is not None and last is not None:
                return types.TextDocumentContentChangePartial(types.Range(first, last), text)
    return None


def _position_of(given: Any) -> types.Position | None:
    match given:
        case {"line": int(line), "character": int(character)}:
            if type(line) is type(character) is int:
                try:
                    return types.Position(line, character)
                except ValueError:  # beyond what the protocol allows
                    return None
    return None
