"""Calls with their outcome, printed as JSON for `npm run clients`."""

import json
import sys
import traceback

calls = []


def record(service, operation, kind, outcome, detail=""):
    """Outcomes: success, declared (an error that the client's model has), notBuilt (501 with a name), wrong, client (its own fault)."""
    calls.append({"service": service, "operation": operation, "input": kind, "outcome": outcome, "detail": detail[:400]})


def step(service, operation, work):
    """A step of a journey, which must succeed."""
    try:
        answer = work()
        record(service, operation, "journey", "success")
        return answer
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        record(service, operation, "journey", "wrong", f"{type(error).__name__}: {error}")
        return None


def finish(client, version):
    json.dump({"client": client, "version": version, "calls": calls}, sys.stdout)
