"""An instance and its controls, which are operations of the platform (openapi/platform.json)."""

import time
from datetime import datetime, timedelta
from typing import List, NamedTuple, Optional, Sequence, Union
from urllib.parse import quote

from .http import IcosaError, encoded, send
from .tenant import Endpoint, Tenant

Duration = Union[str, timedelta]
_units = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


class Snapshot(NamedTuple):
    name: str
    saved_at: str
    bytes: int


class Control:
    """Calls operations of the platform."""

    def __init__(self, url: str, key: str, cafile: Optional[str]):
        self._url, self._key, self.cafile = url, key, cafile

    def call(self, method: str, path: str, body=None, timeout: float = 60.0):
        headers = {"X-Api-Key": self._key, "Content-Type": "application/json"}
        response = send(method, f"{self._url}/platform{path}", headers, encoded(body), timeout, self.cafile)
        if response.status >= 400:
            raise IcosaError(f"{method} {path} answered {response.status}: {_message(response)}")
        return response.json() if response.body else None


def _message(response):
    try:
        return response.json()["error"]["message"]
    except (ValueError, KeyError, TypeError):
        return response.text[:500]


class Clock:
    """The clock of the instance. Timers, schedules, retries and expiries follow it."""

    def __init__(self, control: Control):
        self._control = control

    def now(self) -> datetime:
        return _time(self._control.call("GET", "/clock"))

    def advance(self, by: Duration) -> datetime:
        """`advance("1h")`, `advance(timedelta(days=30))`."""
        return self._move({"byMs": _milliseconds(by)})

    def set(self, to: datetime) -> datetime:
        if to.tzinfo is None:
            raise IcosaError("A time needs a time zone: datetime(2030, 1, 1, tzinfo=timezone.utc).")
        return self._move({"to": to.isoformat()})

    def freeze(self) -> datetime:
        return self._move({"frozen": True})

    def run(self) -> datetime:
        return self._move({"frozen": False})

    def reset(self) -> datetime:
        return self._move({"reset": True})

    def _move(self, move) -> datetime:
        """Moves the clock, and waits for the node, which learns of it within milliseconds."""
        answer = self._control.call("PUT", "/clock", move)
        moved, began = _time(answer), time.monotonic()
        while time.monotonic() - began < 10:
            since = timedelta(seconds=0 if answer["frozen"] else time.monotonic() - began + 1)
            if moved <= self.now() <= moved + since:
                return moved
            time.sleep(0.01)
        raise IcosaError(f"The clock of the instance did not follow a move to {moved}.")


def _time(answer) -> datetime:
    return datetime.fromisoformat(answer["now"].replace("Z", "+00:00"))


def _milliseconds(by: Duration) -> int:
    if isinstance(by, timedelta):
        return round(by / timedelta(milliseconds=1))
    number = by.rstrip("abcdefghijklmnopqrstuvwxyz")
    unit = by[len(number):]
    if unit not in _units or not number.isdigit():
        raise IcosaError(f"{by!r} is no duration: write '90s', '15m', '1h' or '30d'.")
    return int(number) * _units[unit]


class Faults:
    """Faults that calls meet on purpose."""

    def __init__(self, control: Control):
        self._control = control

    def add(self, target: str, kind: str, **fields) -> dict:
        """`add("backup:List*", "error", code="ThrottlingException", times=1)`; fields are those of the operation
        addFault, in snake case."""
        return self._control.call("POST", "/faults", {"target": target, "kind": kind, **_camel(fields)})

    def list(self) -> List[dict]:
        return self._control.call("GET", "/faults")["faults"]

    def clear(self, fault_id: Optional[str] = None) -> None:
        self._control.call("DELETE", "/faults" if fault_id is None else f"/faults/{quote(fault_id, '')}")


def _camel(fields):
    return {first + "".join(map(str.title, rest)): value for (first, *rest), value in _words(fields)}


def _words(fields):
    return ((name.split("_"), value) for name, value in fields.items())


class Icosa(Tenant):
    """An instance: the tenant `dev`, other tenants, and the controls. Closes as a context manager."""

    def __init__(self, url: str, key: str, cafile: Optional[str] = None, on_close=lambda: None):
        self.url, self.key = url.rstrip("/"), key
        self._control, self._on_close = Control(self.url, key, cafile), on_close
        super().__init__("dev", self._endpoints({"name": "dev"}))
        self.clock, self.faults = Clock(self._control), Faults(self._control)

    def _endpoints(self, tenant) -> List[Endpoint]:
        listed = self._control.call("POST", "/tenants", tenant)["endpoints"]
        return [Endpoint(one, self.url, self._control.cafile) for one in listed]

    def tenant(self, name: str, permissions: Optional[Sequence[str]] = None) -> Tenant:
        """Another tenant, isolated from the first; creates it if there is none of that name."""
        wanted = {"name": name, **({} if permissions is None else {"permissions": list(permissions)})}
        return Tenant(name, self._endpoints(wanted))

    def settle(self, timeout: float = 30.0) -> None:
        """Waits until no job is due."""
        answer = self._control.call("POST", "/settle", {"timeoutMs": round(timeout * 1_000)}, timeout + 30)
        if not answer["settled"]:
            raise IcosaError(f"Jobs were still due after {timeout} s: {self._control.call('GET', '/jobs')['jobs']}")

    def reset(self, tenant: Optional[str] = None) -> None:
        """Deletes the data of all services, or of one tenant. Without a tenant, clock and faults are reset, too."""
        if tenant is not None:
            self._control.call("POST", "/reset", {"tenant": tenant})
            return
        self.faults.clear()
        self.clock.reset()
        self._control.call("POST", "/reset", {})

    def snapshot(self, name: str) -> Snapshot:
        """Saves the whole state under a name: rows, blobs, databases of tenants, tokens, queues, clock."""
        return self._act("PUT", name, "")

    def restore(self, name: str) -> Snapshot:
        """Returns to a snapshot. Running requests are cut off."""
        return self._act("POST", name, "/restore")

    def snapshots(self) -> List[Snapshot]:
        listed = self._control.call("GET", "/snapshots")["snapshots"]
        return [Snapshot(one["name"], one["savedAt"], one["bytes"]) for one in listed]

    def _act(self, method: str, name: str, action: str, timeout: float = 120.0) -> Snapshot:
        self._control.call(method, f"/snapshots/{quote(name, '')}{action}")
        ends = time.monotonic() + timeout
        while time.monotonic() < ends:
            state = self._state()
            if state == "failed":
                raise IcosaError(self._control.call("GET", "/snapshots")["action"].get("message", "It failed."))
            if state == "succeeded":
                return next(one for one in self.snapshots() if one.name == name)
            time.sleep(0.05)
        raise IcosaError(f"The instance was not back within {timeout} s.")

    def _state(self) -> Optional[str]:
        """The state of the last action; None while the node is stopped for it."""
        try:
            return self._control.call("GET", "/snapshots")["action"]["state"]
        except (OSError, IcosaError, ValueError):
            return None
        except Exception as error:  # http.client's own, for a connection that is cut off
            if type(error).__module__ == "http.client":
                return None
            raise

    def requests(self, **filters) -> List[dict]:
        """The last requests, without secrets: `requests(service="backup", min_status=400)`."""
        query = "&".join(f"{name}={quote(str(value), '')}" for name, value in _camel(filters).items())
        return self._control.call("GET", f"/requests?{query}")["value"]

    def history(self, request_id: str) -> List[dict]:
        """The trace of a request, by the header X-Request-Id of its response: jobs, attempts, errors, deliveries."""
        return self._control.call("GET", f"/history?request={quote(request_id, '')}")["value"]

    def close(self) -> None:
        self._on_close()

    def __enter__(self) -> "Icosa":
        return self

    def __exit__(self, *_) -> None:
        self.close()


def connect(url: str, key: str = "icosa-dev-key", cafile: Optional[str] = None) -> Icosa:
    """Uses a running instance, such as one in a container."""
    return Icosa(url, key, cafile)
