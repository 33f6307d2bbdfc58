"""Runs all operations of a client, and judges their answers."""

import itertools
import json

from azure.core.exceptions import AzureError, DeserializationError, HttpResponseError
from msrest.exceptions import ClientException, HttpOperationError
from msrest.exceptions import DeserializationError as OldDeserializationError

from azure_sdk.model import KINDS, Inputs, operations
from report import record

DECLARED = {400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 429}


def finished(answer):
    """Waits for a long-running operation, and reads some pages of a list."""
    if hasattr(answer, "result"):
        answer = answer.result(30)
    if hasattr(answer, "by_page") or hasattr(answer, "advance_page"):
        return list(itertools.islice(answer, 50))
    return b"".join(answer) if hasattr(answer, "__next__") else answer


def conform(service, client, models, world, learn=lambda operation, answer: None, only=lambda group, name: True):
    inputs = Inputs(models, world)
    for name, group in vars(client).items():  # what a client would refuse itself is sent, too
        if not name.startswith("_") and hasattr(group, "_serialize"):
            group._serialize.client_side_validation = False
    for group, name, method in operations(client):
        if not only(group, name):
            continue
        for kind in KINDS:
            operation = f"{group}.{name}"
            arguments = {}
            try:
                arguments = inputs.of(group, name, method, kind)
                answer = finished(method(**arguments))
                learn(operation, answer)
                record(service, operation, kind, "success")
            except (HttpResponseError, HttpOperationError) as error:
                record(service, operation, kind, *judged(error))
            except (DeserializationError, OldDeserializationError) as error:
                record(service, operation, kind, "wrong", f"does not parse: {error}")
            except (ClientException, AzureError) as error:
                own = "Connection" not in str(error) and "Expecting" not in str(error)
                record(service, operation, kind, "client" if own else "wrong", f"{type(error).__name__}: {error}")
            except Exception as error:  # the generated code refuses its own arguments
                record(service, operation, kind, "client", f"{type(error).__name__}: {error}; {arguments}")


def judged(error):
    response = error.response
    status = response.status_code
    body = response.text() if callable(response.text) else response.text
    text = f"{response.request.method} {status} {body[:250]}"
    if status == 404 and "is not an operation" in body:
        return "wrong", text
    if status == 501:
        return "notBuilt", text
    failed = status == 200 and json.loads(body).get("status") == "Failed"  # of a long-running operation
    if status not in DECLARED and not failed:
        return "wrong", text
    model = getattr(error, "model", None) or getattr(error, "error", None)
    parsed = getattr(model, "error", None) or model
    extra = getattr(parsed, "additional_properties", None) or {}  # the older clients' error has no other members
    code = getattr(parsed, "code", None) or extra.get("error", {}).get("code")
    if model is None or failed:  # no model of the error: its documented form
        code = json.loads(body or "{}").get("error", {}).get("code")
    return ("declared", text) if code or (not body and response.request.method == "HEAD") else ("wrong", f"no code: {text}")
