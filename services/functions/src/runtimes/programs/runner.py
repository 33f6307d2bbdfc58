"""Serves a function on /sockets/http. Exits with a message if it cannot."""

import base64
import contextvars
import importlib.util
import io
import json
import os
import socket
import socketserver
import sys
import threading
import traceback
import types

from icosa_network import open_network

# Set by `icosa functions dev`, which runs it without a sandbox.
WORKSPACE = sys.argv[1] if len(sys.argv) > 2 else "/workspace"
SOCKETS = sys.argv[2] if len(sys.argv) > 2 else "/sockets"
TARGET = os.environ.get("FUNCTION_TARGET", "")
invocation = contextvars.ContextVar("invocation", default=None)
registered = {}


def refuse(message):
    print(message, file=sys.stderr, flush=True)
    os._exit(1)


class Tagged(io.TextIOBase):
    """Prints lines as JSON with the id of their request."""

    def __init__(self, raw):
        self.raw = raw
        self.buffer = raw.buffer
        self.lock = threading.Lock()
        self.open = threading.local()

    encoding = "utf-8"
    errors = "replace"

    def fileno(self):
        return self.raw.fileno()

    def isatty(self):
        return False

    def writable(self):
        return True

    def write(self, text):
        if invocation.get() is None:
            with self.lock:
                self.raw.write(text)
                self.raw.flush()
            return len(text)
        lines = (getattr(self.open, "rest", "") + text).split("\n")
        self.open.rest = lines.pop()
        for line in lines:
            self.emit(line)
        return len(text)

    def emit(self, line):
        labels = {"execution_id": invocation.get()}
        with self.lock:
            self.raw.write(json.dumps({"message": line, "logging.googleapis.com/labels": labels}) + "\n")
            self.raw.flush()

    def flush(self):
        pass

    def finish(self):
        rest, self.open.rest = getattr(self.open, "rest", ""), ""
        if rest:
            self.emit(rest)


class CloudEvent:
    """An event: its attributes by name, and its data."""

    def __init__(self, attributes, data):
        self._attributes = attributes
        self.data = data

    def __getitem__(self, name):
        return self._attributes[name]

    def __contains__(self, name):
        return name in self._attributes

    def __iter__(self):
        return iter(self._attributes)

    def __len__(self):
        return len(self._attributes)

    def __repr__(self):
        return "CloudEvent(%r, %r)" % (self._attributes, self.data)

    def get(self, name, default=None):
        return self._attributes.get(name, default)

    def get_attributes(self):
        return types.MappingProxyType(self._attributes)

    def get_data(self):
        return self.data


class BadEvent(Exception):
    pass


def event_of(request):
    kind = request.mimetype
    if kind == "application/cloudevents+json":
        event = request.get_json(silent=True)
        if not isinstance(event, dict):
            raise BadEvent("The body is not an event in JSON.")
        data = event.pop("data", None)
        encoded = event.pop("data_base64", None)
        if encoded is not None:
            data = base64.b64decode(encoded)
    else:
        event = {name[3:].lower(): value for name, value in request.headers if name.lower().startswith("ce-")}
        event["datacontenttype"] = request.content_type
        is_json = kind == "application/json" or kind.endswith("+json")
        data = request.get_json(silent=True) if is_json else request.get_data()
        if isinstance(data, bytes) and kind.startswith("text/"):
            data = data.decode("utf-8", "replace")
    missing = [name for name in ("id", "source", "specversion", "type") if not event.get(name)]
    if missing:
        raise BadEvent("The event has no %s." % ", ".join(missing))
    return CloudEvent(event, data)


def registration():
    """Provides `import functions_framework` for functions."""
    module = types.ModuleType("functions_framework")

    def as_kind(kind):
        def decorate(function):
            registered[function.__name__] = (function, kind)
            return function

        return decorate

    module.http = as_kind("http")
    module.cloud_event = as_kind("cloudevent")
    sys.modules["functions_framework"] = module


def load():
    path = os.path.join(WORKSPACE, "main.py")
    if not os.path.isfile(path):
        refuse("There is no main.py: put the function's code there.")
    sys.path.insert(0, WORKSPACE)
    spec = importlib.util.spec_from_file_location("main", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["main"] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        hint = " Is it part of the function's source?" if isinstance(error, ModuleNotFoundError) else ""
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(WORKSPACE)]
        lines = traceback.format_list(frames) + traceback.format_exception_only(error)
        refuse("main.py cannot be loaded.%s\n%s" % (hint, "".join(lines).rstrip()))
    if TARGET in registered:
        return registered[TARGET]
    function = getattr(module, TARGET, None)
    if callable(function):
        return function, os.environ.get("FUNCTION_SIGNATURE_TYPE", "http")
    if function is not None:
        refuse("The entry point '%s' is a %s, not a function." % (TARGET, type(function).__name__))
    names = [name for name, value in vars(module).items() if isinstance(value, types.FunctionType)]
    others = "defined: %s" % ", ".join(names[:10]) if names else "no function is defined"
    refuse("The entry point '%s' is not defined in main.py; %s." % (TARGET, others))


def application(function, kind):
    import flask

    app = flask.Flask(TARGET, root_path=WORKSPACE)

    def answer(path=""):
        request = flask.request._get_current_object()
        if kind != "cloudevent":
            return function(request)
        try:
            event = event_of(request)
        except BadEvent as error:
            return flask.Response("%s\n" % error, status=400, mimetype="text/plain")
        function(event)
        return "OK"

    methods = ["POST"] if kind == "cloudevent" else ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    app.add_url_rule("/", "root", answer, methods=methods, provide_automatic_options=False)
    app.add_url_rule("/<path:path>", "below", answer, methods=methods, provide_automatic_options=False)

    @app.errorhandler(500)
    def failed(error):
        return flask.Response("Internal Server Error\n", status=500, mimetype="text/plain")

    return app


class Body(io.RawIOBase):
    """Streams the body of a request, of known length or chunked."""

    def __init__(self, source, length, chunked):
        self.source, self.remaining, self.chunked, self.is_done = source, length, chunked, False

    def readable(self):
        return True

    def readinto(self, into):
        if self.chunked and self.remaining == 0 and not self.is_done:
            line = self.source.readline(1024)
            self.remaining = int(line.split(b";")[0], 16)
            if self.remaining == 0:
                self.is_done = True
                while self.source.readline(65536) not in (b"\r\n", b"\n", b""):
                    pass
        if self.remaining == 0:
            return 0
        chunk = self.source.read1(min(len(into), self.remaining))
        if not chunk:
            raise ConnectionError("The body ended too early.")
        into[: len(chunk)] = chunk
        self.remaining -= len(chunk)
        if self.chunked and self.remaining == 0:
            self.source.readline(16)
        return len(chunk)


class Connection(socketserver.StreamRequestHandler):
    rbufsize = 65536

    def handle(self):
        try:
            while self.once():
                pass
        except (ConnectionError, ValueError, OSError):
            pass

    def once(self):
        line = self.rfile.readline(65537)
        if not line:
            return False
        method, target, _ = line.decode("latin-1").split(" ", 2)
        environ = self.environ(method, target)
        body = environ["wsgi.input"]
        context = contextvars.copy_context()
        is_open = context.run(self.answer, method, environ)
        drained = 0
        while is_open and drained < 2**20:
            chunk = body.read(65536)
            if not chunk:
                return True
            drained += len(chunk)
        return False

    def environ(self, method, target):
        path, _, query = target.partition("?")
        environ = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": unquoted(path),
            "QUERY_STRING": query,
            "RAW_URI": target,
            "SERVER_NAME": "function",
            "SERVER_PORT": "8080",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "wsgi.version": (1, 0),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            "wsgi.input_terminated": True,
        }
        while True:
            line = self.rfile.readline(65537).decode("latin-1").rstrip("\r\n")
            if not line:
                break
            name, _, value = line.partition(":")
            key = name.strip().upper().replace("-", "_")
            key = key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else "HTTP_" + key
            value = value.strip()
            environ[key] = environ[key] + "," + value if key in environ and key.startswith("HTTP_") else value
        environ["wsgi.url_scheme"] = environ.get("HTTP_X_FORWARDED_PROTO", "http")
        environ["REMOTE_ADDR"] = environ.get("HTTP_X_FORWARDED_FOR", "").split(",")[0].strip()
        is_chunked = "chunked" in environ.get("HTTP_TRANSFER_ENCODING", "").lower()
        length = 0 if is_chunked else int(environ.get("CONTENT_LENGTH") or 0)
        environ["wsgi.input"] = io.BufferedReader(Body(self.rfile, length, is_chunked), 65536)
        return environ

    def answer(self, method, environ):
        invocation.set(environ.get("HTTP_FUNCTION_EXECUTION_ID"))
        response_head = []

        def start_response(status, headers, exc_info=None):
            response_head[:] = [status, headers]

        chunks = self.server.application(environ, start_response)
        status, headers = response_head
        code = int(status.split(" ", 1)[0])
        has_no_body = method == "HEAD" or code < 200 or code in (204, 304)
        chunked = not has_no_body and not any(name.lower() == "content-length" for name, _ in headers)
        head = ["HTTP/1.1 " + status] + ["%s: %s" % (name, value) for name, value in headers]
        head += ["Transfer-Encoding: chunked"] if chunked else []
        unsent_head = ("\r\n".join(head) + "\r\n\r\n").encode("latin-1")
        try:
            for chunk in chunks:
                if has_no_body or not chunk:
                    continue
                framed = b"%x\r\n%b\r\n" % (len(chunk), chunk) if chunked else chunk
                self.request.sendall(unsent_head + framed)
                unsent_head = b""
            if unsent_head or chunked:
                self.request.sendall(unsent_head + (b"0\r\n\r\n" if chunked else b""))
            return True
        except (ConnectionError, OSError):
            return False
        except Exception:
            traceback.print_exc()
            return False
        finally:
            if hasattr(chunks, "close"):
                chunks.close()
            sys.stdout.finish()
            sys.stderr.finish()


def unquoted(path):
    from urllib.parse import unquote_to_bytes

    return unquote_to_bytes(path).decode("latin-1")


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = 1024

    def handle_error(self, request, client_address):
        traceback.print_exc()


def alive():
    """Liveness probe: does not respond while the function blocks all threads."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(os.path.join(SOCKETS, "alive"))
    listener.listen(16)
    while True:
        connection, _ = listener.accept()
        with connection:
            try:
                connection.sendall(b".")
            except OSError:
                pass


def main():
    sys.stdout, sys.stderr = Tagged(sys.stdout), Tagged(sys.stderr)
    if len(sys.argv) <= 2:
        open_network()
    registration()
    function, kind = load()
    server_application = application(function, kind)
    threading.Thread(target=alive, daemon=True).start()
    server = Server(os.path.join(SOCKETS, "http"), Connection)
    server.application = server_application
    server.serve_forever(poll_interval=3600)


main()
