"""pygls' protocol, made safe against what editors and broken clients really send.

Three things differ from pygls 2.1: a message that does not fit its type is answered and shows no
pop-up; an answer never holds a traceback or the words of an exception; and the documents are ours.
"""

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import JsonRPCNotification

from synconfroute.server.protocol.faults import describe
from synconfroute.server.protocol.inline import Asked
from synconfroute.server.protocol.leniency import (
    Json,
    is_message,
    text_in,
    uri_in,
    with_current_trigger,
)
from synconfroute.server.protocol.logs import logger
from synconfroute.server.protocol.reports import METHODS
from synconfroute.server.protocol.uris import key_of

if TYPE_CHECKING:
    from cattrs import Converter

    from synconfroute.server.protocol.server import Server

INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
NOT_INITIALIZED = -32002
CANCELLED = -32800

_NOT_OFFERED = (types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS,)
"""What pygls handles with its own document store, which is not in use here."""

_SENTENCES = {
    INVALID_REQUEST: "This request is not possible now.",
    METHOD_NOT_FOUND: "This server does not have that method.",
    INVALID_PARAMS: "The parameters do not fit the method.",
    INTERNAL_ERROR: "The request failed inside the server; its log says where.",
    NOT_INITIALIZED: "The server is not initialized yet.",
    CANCELLED: "The request was cancelled.",
}


class Rpc(LanguageServerProtocol):
    """One session with one editor."""

    _server: "Server"

    def __init__(self, server: "Server", converter: "Converter") -> None:
        super().__init__(server, converter)
        self._asked: dict[int | str, Asked | None] = {}
        for method in _NOT_OFFERED:
            del self.fm.builtin_features[method]
        self.fm.builtin_features.update(
            {
                types.INITIALIZED: self._initialized,
                types.TEXT_DOCUMENT_DID_OPEN: self._did_open,
                types.TEXT_DOCUMENT_DID_CHANGE: self._did_change,
                types.TEXT_DOCUMENT_DID_CLOSE: self._did_close,
                types.NOTEBOOK_DOCUMENT_DID_OPEN: self._did_open_notebook,
                types.NOTEBOOK_DOCUMENT_DID_CHANGE: self._did_change_notebook,
                types.NOTEBOOK_DOCUMENT_DID_CLOSE: self._did_close_notebook,
            }
        )

    def receive(self, body: bytes) -> None:
        """Handle one message. Whatever it is, nothing is raised."""
        try:
            data = json.loads(body)
        except (ValueError, RecursionError) as error:
            logger.warning("A message of %d bytes is not JSON (%s).", len(body), describe(error))
            return
        if not isinstance(data, dict):
            logger.warning("A message is not a JSON object.")
            return
        try:
            self._dispatch(data)
        except Exception as error:
            logger.error("A message could not be handled: %s", describe(error))
            if "method" in data:
                self._refuse(data, INTERNAL_ERROR)

    def _dispatch(self, data: Json) -> None:
        if not is_message(data):
            logger.warning("A JSON object is not a message.")
            return
        method = data.get("method")
        if method is None:
            self._take_answer(data)
            return
        if method == types.EXIT:
            self._server.stop(0 if self._shutdown else 1)
            return
        refused = self._refusal(method)
        if refused is None and "id" in data and _wants_no_answer(method):
            refused = INVALID_REQUEST  # somebody waits for an answer all the same
        if refused is not None:
            self._refuse(data, refused)
            return
        if method == types.INITIALIZE:
            self._initialize(data)
            return
        try:
            message = self._structured(method, data)
        except (JsonRpcException, ValueError):
            self._malformed(method, data)
            return
        self.handle_message(message)

    def _take_answer(self, data: Json) -> None:
        """The client's answer to a request of ours, not to one of its own under the same id."""
        waiting: Any = self._request_futures.get(data["id"])
        if isinstance(waiting, asyncio.Future):
            logger.warning("An answer is to no request of ours.")
            return
        if waiting is not None and waiting.done():
            del self._request_futures[data["id"]]  # given up: the session ends, or it came too late
            return
        try:
            message = self.structure_message(data)
        except (JsonRpcException, ValueError):
            logger.warning("An answer does not fit its request.")
            return
        self.handle_message(message)

    def _refusal(self, method: str) -> int | None:
        """The error code for a method that is unknown, or not possible in this state."""
        initialized = self._server.initialized
        if self._shutdown or (initialized and method == types.INITIALIZE):
            return INVALID_REQUEST
        if not initialized and method != types.INITIALIZE:
            return NOT_INITIALIZED
        if method in self.fm.features or method in self.fm.builtin_features:
            return None
        return None if method == types.CANCEL_REQUEST else METHOD_NOT_FOUND

    def _structured(self, method: str, data: Json) -> Any:
        if method in METHODS and "id" not in data:
            return JsonRPCNotification(method, data["jsonrpc"], data.get("params"))
        if method == types.TEXT_DOCUMENT_INLINE_COMPLETION:
            data = with_current_trigger(data)
        return self.structure_message(data)

    def _malformed(self, method: str, data: Json) -> None:
        logger.warning("The parameters of %r do not fit.", method)
        self._refuse(data, INVALID_PARAMS)
        uri = uri_in(data)
        if method == types.TEXT_DOCUMENT_DID_CHANGE and uri is not None:
            # Our copy is out of step from here on, and a wrong one is worse than none.
            self._server.forget(uri)
        if method == types.NOTEBOOK_DOCUMENT_DID_CHANGE:
            notebook = text_in(data, "params", "notebookDocument", "uri")
            self._server.notebooks.drop(notebook)

    def _refuse(self, data: Json, code: int) -> None:
        """Answer a request with an error. A notification has no answer."""
        logger.debug("Refused %r with %d.", data["method"], code)
        if isinstance(data.get("id"), int | str):
            self._send_error(data["id"], code)

    def _send_error(self, msg_id: int | str, code: int) -> None:
        sentence = _SENTENCES.get(code, _SENTENCES[INTERNAL_ERROR])
        self._send_response(msg_id, error=types.ResponseError(code=code, message=sentence))

    def handle_message(self, message: Any) -> None:
        """Handle a message that has its type. pygls would look at all its members to find that."""
        name, identity = getattr(message, "method", None), getattr(message, "id", None)
        context = copy_context()
        if name is None:
            answer = getattr(message, "result", None), getattr(message, "error", None)
            context.run(self._handle_response, message.id, *answer)
        elif identity is None:
            context.run(self._handle_notification, name, message.params)
        else:
            context.run(self._handle_request, identity, name, message.params)

    def _execute_handler(
        self,
        msg_id: int | str,
        handler: Callable[..., Any],
        callback: Callable[["Future[Any]"], Any],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        # pygls keeps what a handler of its own waited for, a command too, until the session ends.
        def done(future: "Future[Any]") -> None:
            self._request_futures.pop(msg_id, None)
            callback(future)

        super()._execute_handler(msg_id, handler, done, args, kwargs)

    def _handle_request(self, msg_id: int | str, method_name: str, params: Any) -> None:
        if method_name == types.TEXT_DOCUMENT_INLINE_COMPLETION:
            params = self._asked[msg_id] = self._server.inline.arrived(params)
        elif method_name == types.TEXT_DOCUMENT_COMPLETION:
            params = self._asked[msg_id] = self._server.listed.arrived(params)
        super()._handle_request(msg_id, method_name, params)

    def _handle_cancel_notification(self, msg_id: Any) -> None:
        # cattrs lets any value through where a type is "int or str".
        if isinstance(msg_id, int | str):
            super()._handle_cancel_notification(msg_id)

    def _send_handler_result(self, future: "Future[Any]", *, msg_id: int | str) -> None:
        self._request_futures.pop(msg_id, None)
        asked = self._asked.pop(msg_id, None)
        if future.cancelled():
            # Also of a request whose turn came before its first step could.
            self._server.inline.cancelled(asked)
            self._send_error(msg_id, CANCELLED)
            return
        error = future.exception()
        if error is None:
            self._send_response(msg_id, result=future.result())
            return
        code = error.code if isinstance(error, JsonRpcException) else INTERNAL_ERROR
        # Of what the client did wrong nothing has failed here.
        report = logger.error if code == INTERNAL_ERROR else logger.warning
        report("Request %r failed: %s", msg_id, describe(error))
        self._send_error(msg_id, code)

    def _check_handler_result(self, future: "Future[Any]") -> None:
        error = None if future.cancelled() else future.exception()
        if error is not None:
            logger.error("A notification's handler failed: %s", describe(error))

    def _initialize(self, data: Json) -> None:
        result = self._server.initialize(data)
        self._send_data({"jsonrpc": self.VERSION, "id": data["id"], "result": result})

    def _initialized(self, _params: types.InitializedParams) -> None:
        # The editor has its answer: now there is time for slow things.
        self._server.prepare()

    def _did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        self._server.documents.open(params.text_document)
        self._server.turns.drop(key_of(params.text_document.uri))
        self._server.turned_to(params.text_document.uri)

    def _did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        self._server.edited(params)

    def _did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        self._server.forget(params.text_document.uri)

    def _did_open_notebook(self, params: types.DidOpenNotebookDocumentParams) -> None:
        self._server.notebooks.open(params)

    def _did_change_notebook(self, params: types.DidChangeNotebookDocumentParams) -> None:
        self._server.notebooks.change(params)

    def _did_close_notebook(self, params: types.DidCloseNotebookDocumentParams) -> None:
        self._server.notebooks.close(params)


def _wants_no_answer(method: str) -> bool:
    """Is it a notification by the protocol, or one of ours?"""
    known = types.METHOD_TO_TYPES.get(method)
    return method in METHODS or (known is not None and known[1] is None)
