"""The APIs of an instance, as one tenant calls them."""

from typing import List, Optional
from urllib.parse import urlsplit

from .http import IcosaError, Response, encoded, send
from .signing import Signing, signed


class Endpoint:
    """One API, with the credentials of a tenant."""

    def __init__(self, listed: dict, base: str, cafile: Optional[str]):
        credentials, authentication = listed["credentials"], listed["authentication"]
        self.name = listed["name"]
        self.api = listed.get("api")
        # The address of the instance may be another one outside its container.
        self.url = base + urlsplit(listed["url"]).path
        self.authentication = authentication["kind"]
        self.headers = {credentials["header"]: credentials["key"]} if "header" in credentials else {}
        self.signing = None
        if self.authentication == "signature":
            names = ("accessKeyId", "secretAccessKey", "region")
            self.signing = Signing(*(credentials[name] for name in names), authentication["service"])
        #: The credential itself, for SDKs: a key, a bearer token, or the secret of a signature.
        self.key = credentials.get("secretAccessKey") or credentials.get("key", "").rpartition(" ")[2]
        self._cafile = cafile

    def fetch(self, path: str, method: str = "GET", body=None, headers=None, timeout: float = 60.0) -> Response:
        """Sends a request with the credential of the tenant. A body that is no text is sent as JSON."""
        own = {name.lower() for name in headers or {}}
        complete = {name: value for name, value in self.headers.items() if name.lower() not in own}
        complete.update(headers or {})
        if body is not None and not isinstance(body, bytes) and "content-type" not in own:
            complete["Content-Type"] = "application/json"
        url, payload = self.url + path, encoded(body)
        if self.signing:
            complete = signed(self.signing, method, url, complete, payload)
        return send(method, url, complete, payload, timeout, self._cafile)

    def __repr__(self):
        return f"<Endpoint {self.name} {self.url}>"


class Tenant:
    """A tenant sees nothing of others."""

    def __init__(self, name: str, endpoints: List[Endpoint]):
        self.name = name
        self.services = endpoints

    def service(self, name: str, api: Optional[str] = None) -> Endpoint:
        for endpoint in self.services:
            if endpoint.name == name and api in (None, endpoint.api):
                return endpoint
        names = ", ".join(sorted({endpoint.name for endpoint in self.services}))
        raise IcosaError(f"This instance has no service {name!r}{f' with an API {api!r}' if api else ''}: {names}.")

    def fetch(self, service: str, path: str, method: str = "GET", body=None, headers=None, **options) -> Response:
        return self.service(service).fetch(path, method, body, headers, **options)
