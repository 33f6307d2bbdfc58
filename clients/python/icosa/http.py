"""One HTTP request, without proxies, redirects and retries, which would hide what a test looks for."""

import http.client
import json as _json
import ssl
from email.message import Message
from urllib.parse import urlsplit


class IcosaError(Exception):
    """An instance that did not start, or a refused call of the test kit itself."""


class Response:
    def __init__(self, status: int, headers: Message, body: bytes):
        self.status = status
        self.headers = headers  # names in any case
        self.body = body

    @property
    def text(self) -> str:
        return self.body.decode()

    def json(self):
        return _json.loads(self.body)

    def __repr__(self):
        return f"<Response {self.status} {self.body[:200]!r}>"


def encoded(body):
    """Bytes of a body: text and bytes as they are, anything else as JSON."""
    if body is None:
        return b""
    if isinstance(body, bytes):
        return body
    return (body if isinstance(body, str) else _json.dumps(body)).encode()


def send(method, url, headers, body=b"", timeout=60.0, cafile=None) -> Response:
    scheme, host, path, query, _ = urlsplit(url)
    if scheme == "https":
        context = ssl.create_default_context(cafile=cafile)
        connection = http.client.HTTPSConnection(host, timeout=timeout, context=context)
    else:
        connection = http.client.HTTPConnection(host, timeout=timeout)
    try:
        connection.request(method, (path or "/") + (f"?{query}" if query else ""), body or None, headers)
        response = connection.getresponse()
        return Response(response.status, response.headers, response.read())
    finally:
        connection.close()
