"""The consumer groups of each service, read from where its code makes the clients."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from services.common.kafka import topics
from services.common.kafka.topics import Topic
from services.rules.cluster.group import GROUP as OWNERS

# By what makes a client: which of its arguments names the group.
GROUP_ARGUMENT = {"new_consumer": 1, "FollowerApp": 1, "PartitionEnds": 2}
# By what makes a client: which of its arguments is the topic after whose name the group is called.
TAIL_ARGUMENT = {"TopicTail": 1, "follow": 1}
INSTANCE = "INSTANCE"


def groups_of(repository: Path, service: str) -> frozenset[str]:
    """Names of all groups of a service, without the platform's prefix; INSTANCE stands for what is known later."""
    services = repository / "services"
    files = [*sorted((services / service).rglob("*.py")), services / "host" / "cluster" / f"{service}.py"]
    found: set[str] = set()
    for path in files:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        constants = _constants(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                found |= set(_groups_made(node, constants))
    return frozenset(found)


def _constants(tree: ast.Module) -> Mapping[str, str]:
    return {
        node.targets[0].id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    }


def _groups_made(call: ast.Call, constants: Mapping[str, str]) -> Iterator[str]:
    match call.func:
        case ast.Name(id=maker) | ast.Attribute(attr=maker):
            pass
        case _:
            return
    if maker in GROUP_ARGUMENT:
        name = _text(call.args[GROUP_ARGUMENT[maker]], constants)
        if name:
            yield name
    elif maker == "LogCopy":
        yield f"copy.{INSTANCE}"
    elif maker == "TopicStaffLog":
        yield f"{topics.STAFF_ACTS.name}.tail"
    elif maker == "KafkaQueues":
        yield OWNERS
        yield from (f"{topic.name}.tail" for topic in topics.DEAD_LETTERS.values())
    elif maker == "CommandGateway":
        given = [_text(each.value, constants) for each in call.keywords if each.arg == "service"]
        yield f"{(given or ['rules'])[0]}.outcomes.{INSTANCE}"
    elif maker in TAIL_ARGUMENT and len(call.args) > TAIL_ARGUMENT[maker]:
        topic = call.args[TAIL_ARGUMENT[maker]]
        declared = getattr(topics, topic.id, None) if isinstance(topic, ast.Name) else None
        if isinstance(declared, Topic):
            yield f"{declared.name}.tail"


def _text(node: ast.expr, constants: Mapping[str, str]) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]):
            return text + INSTANCE
        case ast.Name(id=name):
            return constants.get(name, "")
    return ""
