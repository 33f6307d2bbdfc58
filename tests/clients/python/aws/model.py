"""Inputs for every operation of a botocore service model, and the check of an answer against that model."""

import base64
import datetime

# Operations of one kind run together, those that make what others need first, those that remove it last.
ORDER = ("Create", "Start", "Put", "Send", "Tag", "Group", "Update", "Batch")
LAST = ("Untag", "Ungroup", "Stop", "Cancel", "Revoke", "Disassociate", "Delete", "BatchDelete")
KINDS = ("minimal", "full", "absent", "wrong")

# Errors that all services answer, which models leave out.
COMMON = {"AccessDeniedException", "ThrottlingException", "ValidationException", "ServiceUnavailableException"}


def in_order(names):
    def rank(name):
        last = [position for position, verb in enumerate(LAST) if name.startswith(verb)]
        first = [position for position, verb in enumerate(ORDER) if name.startswith(verb)]
        return (2, last[-1]) if last else (0, first[0]) if first else (1, 0)

    return sorted(names, key=lambda name: (*rank(name), name))


class Inputs:
    """Values for members: those of the world by name, else the smallest that the model allows."""

    def __init__(self, world):
        self.world = world
        self.count = 0

    def of(self, operation, kind):
        shape = operation.input_shape
        if shape is None:
            return {}
        self.operation, self.kind = operation.name, kind
        self.count += 1
        return self.structure(shape)

    def structure(self, shape, path=()):
        known = self.world.get((self.operation, *path))
        if isinstance(known, dict) and self.kind in ("minimal", "full"):
            return known
        members = shape.members.items()
        if self.kind != "full":
            members = [(name, member) for name, member in members if name in shape.required_members]
        if getattr(shape, "is_tagged_union", False):
            members = list(members)[:1] or list(shape.members.items())[:1]
        return {name: self.value(name, member, path) for name, member in members if path.count(name) < 1}

    def value(self, name, shape, path):
        if self.kind in ("minimal", "full"):
            for key in ((self.operation, *path, name), (self.operation, name), name):
                if key in self.world:
                    known = self.world[key]
                    return known(self.count) if callable(known) else known
        build = getattr(self, shape.type_name, None)
        return build(shape, (*path, name)) if build else None

    def string(self, shape, path):
        if self.kind == "wrong":
            return "no such value" if shape.enum else "<" * min((shape.metadata.get("max") or 99) + 1, 200)
        if shape.enum:
            return shape.enum[0]
        text = f"absent{self.count}" if self.kind == "absent" else f"value{self.count}"
        return text.ljust(shape.metadata.get("min") or 0, "0")

    def integer(self, shape, path):
        return -7 if self.kind == "wrong" else max(1, shape.metadata.get("min") or 1)

    long = integer

    def double(self, shape, path):
        return -7.5 if self.kind == "wrong" else 1.0

    float = double

    def boolean(self, shape, path):
        return False

    def timestamp(self, shape, path):
        return datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)

    def blob(self, shape, path):
        return b"{}"

    def list(self, shape, path):
        return [self.value(shape.member.serialization.get("name", "member"), shape.member, path)]

    def map(self, shape, path):
        return {"key": self.value("value", shape.value, path)}



def mismatches(shape, value, path=""):
    """Differences of an answer from its shape: missing required members, types, values outside of an enum."""
    if shape is None or value is None:
        return []
    kind = shape.type_name
    if kind == "structure":
        missing = [f"{path}.{name} is missing" for name in shape.required_members if name not in value]
        return missing + [
            text
            for name, member in shape.members.items()
            if name in value
            for text in mismatches(member, value[name], f"{path}.{name}")
        ]
    if kind == "list":
        return [text for item in value for text in mismatches(shape.member, item, f"{path}[]")]
    if kind == "map":
        return [text for item in value.values() for text in mismatches(shape.value, item, f"{path}{{}}")]
    expected = {
        "string": str,
        "integer": int,
        "long": int,
        "double": (int, float),
        "float": (int, float),
        "boolean": bool,
        "timestamp": (datetime.datetime, str),
        "blob": (bytes, str),
    }.get(kind, object)
    if not isinstance(value, expected) and not hasattr(value, "read"):
        return [f"{path} is {type(value).__name__}, not {kind}"]
    if kind == "string" and shape.enum and value not in shape.enum:
        return [f"{path} is {value!r}, not one of its enum"]
    return []


def learn(world, answer):
    """Keeps the ids, names and tokens of an answer for operations that ask for them."""
    for name, value in answer.items():
        if isinstance(value, str) and name.lower().endswith(("id", "arn", "name")):
            world[name] = value


def as_json(value):
    if isinstance(value, dict):
        return {name: as_json(item) for name, item in value.items()}
    if isinstance(value, list):
        return [as_json(item) for item in value]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return value.isoformat() if isinstance(value, datetime.datetime) else value
