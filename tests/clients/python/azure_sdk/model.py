"""Calls of every operation of a generated Azure client, with input from the types that its documentation names."""

import datetime
import enum
import importlib
import inspect
import io
import re

ORDER = ("create", "add", "import", "put", "train", "publish", "update", "patch", "regenerate", "run")
LAST = ("disable", "delete")
KINDS = ("minimal", "full", "absent", "wrong")
ABSENT = "00000000-0000-0000-0000-00000000000a"


def operations(client):
    """(group, name, method) of all public operations, creating ones first and deleting ones last."""
    found = []
    for group in sorted(vars(client)) or []:
        operations = getattr(client, group)
        if group.startswith("_") or not type(operations).__module__.rpartition(".")[0].endswith("operations") and ".operations" not in type(operations).__module__:
            continue
        for name, method in inspect.getmembers(operations, inspect.ismethod):
            if not name.startswith("_"):
                found.append((group, name, method))
    return sorted(found, key=rank)


def rank(entry):
    group, name, _ = entry
    verb = name.removeprefix("begin_")
    if verb.startswith(LAST):
        return (2, group.count("_"), group, name)
    position = next((index for index, prefix in enumerate(ORDER) if verb.startswith(prefix)), None)
    return (1, 0, group, name) if position is None else (0, position, group, name)


def types_of(method):
    """Types of parameters, as the documentation of generated methods names them."""
    text = re.sub(r"\n\s+(?![\s:])", " ", method.__doc__ or "")
    return dict(re.findall(r":(?:type|paramtype) (\w+): ?(.+?)\s*(?:\n|$)", text))


class Inputs:
    """Arguments of a method: values of the world by name, else the smallest of their type."""

    def __init__(self, models, world):
        self.models, self.world, self.count = models, world, 0

    def of(self, group, name, method, kind):
        self.group, self.name, self.kind = group, name, kind
        self.count += 1
        types = types_of(method)
        arguments = {}
        for parameter in inspect.signature(method).parameters.values():
            if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
                continue
            if parameter.name in ("custom_headers", "raw", "callback", "operation_config", "polling", "continuation_token"):
                continue
            is_optional = parameter.default is not parameter.empty
            if kind == "full" or not is_optional:
                arguments[parameter.name] = self.value(parameter.name, types.get(parameter.name, "str"), 0)
        return arguments

    def known(self, name):
        for key in (f"{self.group}.{self.name}.{name}", f"{self.group}.{name}", name):
            if key in self.world:
                value = self.world[key]
                return value(self.count) if callable(value) else value
        return None

    def value(self, name, type_name, depth):
        if self.kind in ("minimal", "full"):
            known = self.known(name)
            if known is not None:
                return known
        type_name = type_name.strip()
        if type_name.startswith(("list[", "[", "List[")):
            return [self.value(f"{name}[]", type_name[type_name.index("[") + 1 : -1], depth)] if depth < 5 else []
        if type_name.startswith(("dict[", "{", "Dict[")):
            return {"key": self.value(f"{name}{{}}", re.sub(r"^(\{|[Dd]ict\[str, ?)|[}\]]$", "", type_name), depth + 1)}
        kinds = (getattr(self.models, word, None) for word in re.findall(r"\w+", type_name) if word[0].isupper())
        kind = next(filter(inspect.isclass, kinds), None)
        if inspect.isclass(kind) and issubclass(kind, enum.Enum):
            return "no such value" if self.kind == "wrong" else list(kind)[0].value
        if inspect.isclass(kind):
            return self.structure(kind, depth)
        return self.scalar(type_name)

    def scalar(self, type_name):
        wrong = self.kind == "wrong"
        if type_name.startswith(("int", "long")):
            return -7 if wrong else 1
        if type_name.startswith("float"):
            return -7.5 if wrong else 0.5
        if type_name.startswith("bool"):
            return False
        if type_name.startswith(("datetime", "iso-8601", "~datetime")):
            return datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
        if type_name.startswith(("duration", "timedelta", "~datetime.timedelta")):
            return datetime.timedelta(hours=1)
        if type_name.startswith(("Generator", "IO", "bytes", "stream")):
            return io.BytesIO(b"not an image")
        return ABSENT if self.kind == "absent" else "<no>" if wrong else f"value{self.count}"

    def structure(self, kind, depth):
        rules = getattr(kind, "_validation", {})
        members = {}
        for name, entry in kind._attribute_map.items():
            rule = rules.get(name, {})
            if rule.get("readonly") or rule.get("constant") or name == "additional_properties" or depth > 5:
                continue
            if rule.get("required") or (self.kind == "full" and depth < 4) or (self.kind != "full" and self.known(name) and depth < 2):
                members[name] = self.value(name, entry["type"], depth + 1)
        try:
            return kind(**members)
        except TypeError:
            return kind(**{name: value for name, value in members.items() if name in inspect.signature(kind.__init__).parameters})


def models_of(module):
    return importlib.import_module(f"{module}.models")
