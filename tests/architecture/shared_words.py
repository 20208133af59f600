"""Which events, commands and words of kernel and parts a title uses, read from the source: names are followed from the title's
folder into shared code, as far as they lead."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
RULES = ROOT / "services" / "rules"
# What the platform itself does with a game of any title.
PLATFORM = (
    *RULES.glob("*.py"),
    *(RULES / "cluster").glob("*.py"),
    *(RULES / "kernel" / name for name in ("decide.py", "fold.py")),
    *(RULES / "kernel" / "directing").glob("*.py"),
    *(RULES / "importer" / name for name in ("replay.py", "translate.py")),
)
# Tables list words; to be listed is not to be used.
TABLES = frozenset(("REASONS", "EVENTS", "COMMANDS"))

# Module and name of something defined at the top of a module.
Name = tuple[str, str]


class Used(NamedTuple):
    """Names of kernel and parts, and words in quotes, that some code uses."""

    names: frozenset[Name]
    words: frozenset[str]

    def uses(self, word: str) -> bool:
        """Whether the class or the word is used."""
        return word in self.words or any(name == word for _, name in self.names)


class _Module(NamedTuple):
    definitions: Mapping[str, ast.stmt]
    imports: Mapping[str, Name]


def used_by(paths: Iterable[Path]) -> Used:
    """What these files use, directly or through shared code."""
    names: set[Name] = set()
    words: set[str] = set()
    waiting = [
        (node, "", module.imports) for module in map(_read, paths) for node in module.definitions.values()
    ]
    while waiting:
        node, at, imports = waiting.pop()
        for inner in ast.walk(node):
            if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                words.add(inner.value)
            elif isinstance(inner, ast.Name):
                found = imports.get(inner.id, (at, inner.id))
                if found not in names and _is_shared(found) and inner.id not in TABLES:
                    names.add(found)
                    waiting += _definition(found)
    return Used(frozenset(names), frozenset(words))


def _is_shared(name: Name) -> bool:
    return name[0] in _shared() and name[1] in _shared()[name[0]].definitions


def _definition(name: Name) -> Iterator[tuple[ast.stmt, str, Mapping[str, Name]]]:
    """The definition of a shared name; what a part is made of is a table as well."""
    module = _shared()[name[0]]
    if not name[0].endswith(".part"):
        yield module.definitions[name[1]], name[0], module.imports


@lru_cache(maxsize=1)
def _shared() -> Mapping[str, _Module]:
    paths = (*(RULES / "kernel").glob("*.py"), *(RULES / "parts").rglob("*.py"))
    return {".".join(path.relative_to(ROOT).with_suffix("").parts): _read(path) for path in paths}


def _read(path: Path) -> _Module:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imports = {
        alias.asname or alias.name: (str(node.module), alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    definitions = {name: node for node in tree.body for name in _names_of(node)}
    return _Module(definitions, imports)


def _names_of(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            yield from (each.id for each in ast.walk(target) if isinstance(each, ast.Name))
