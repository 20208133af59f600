"""No field of a shared command is there for one title alone: what only one title asks for is a command of the title's own."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec.structs import fields

from services.rules.adapters.registry import PARTS
from services.rules.kernel import commands
from services.rules.kernel.commands import Command
from tests.architecture.shared_words import PLATFORM, RULES
from tests.architecture.test_titles_from_outside import TITLES

# A command and a field of it.
Field = tuple[str, str]

SHARED: Mapping[str, type[Command]] = {
    each.__name__: each
    for each in (*commands.COMMANDS, *(command for part in PARTS for command in part.commands))
}


def _given(call: ast.Call) -> Iterator[Field]:
    """The fields that are given where a shared command is made."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if name in SHARED:
        places = [info.name for info in fields(SHARED[name])]
        yield from ((name, field) for field in places[: len(call.args)])
        yield from ((name, keyword.arg) for keyword in call.keywords if keyword.arg)


def _read(function: ast.FunctionDef) -> Iterator[Field]:
    """The fields that a function reads of a shared command it is given."""
    given = {
        each.arg: each.annotation.id
        for each in function.args.args
        if isinstance(each.annotation, ast.Name) and each.annotation.id in SHARED
    }
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in given:
            yield given[node.value.id], node.attr


def _nodes(paths: Iterable[Path]) -> Iterator[ast.AST]:
    for path in paths:
        yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def _given_in(paths: Iterable[Path]) -> set[Field]:
    return {field for node in _nodes(paths) if isinstance(node, ast.Call) for field in _given(node)}


def _read_in(paths: Iterable[Path]) -> set[Field]:
    return {field for node in _nodes(paths) if isinstance(node, ast.FunctionDef) for field in _read(node)}


def test_each_field_of_a_shared_command_is_of_use_to_two_titles() -> None:
    """A field that may be left out is read by shared code, or given by two titles. That a title refuses every value but the
    default is no use of it."""
    shared = [*PLATFORM, *(RULES / "kernel").glob("*.py"), *(RULES / "parts").rglob("*.py")]
    used_by_all = _read_in(shared) | _given_in(PLATFORM)
    by_title = [_given_in(folder.rglob("*.py")) for folder in TITLES.values()]
    lonely = {
        (name, info.name)
        for name, command in SHARED.items()
        for info in fields(command)
        if not info.required and (name, info.name) not in used_by_all
        if sum((name, info.name) in given for given in by_title) < 2
    }
    assert lonely == set()


def test_the_check_sees_what_is_given_and_what_is_read() -> None:
    """By place and by name; of a parameter that is annotated with the command, not of anything else."""
    source = """
def check(game: Game, command: BuyTrain):
    return command.price, game.kind

BuyTrain("MS", "2-0", 80, seller="bank")
BuyCompany("EPP", price=120)
"""
    nodes = list(ast.walk(ast.parse(source)))
    read = {field for node in nodes if isinstance(node, ast.FunctionDef) for field in _read(node)}
    given = {field for node in nodes if isinstance(node, ast.Call) for field in _given(node)}
    assert read == {("BuyTrain", "price")}
    assert given == {("BuyTrain", name) for name in ("company", "train", "price", "seller")}
