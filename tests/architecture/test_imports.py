"""Who may import whom, as far as `make lint` (import-linter) does not tell: titles stand alone."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import grimp

TITLES = "services.rules.titles"


def imported_modules(path: Path, package: str) -> Iterator[str]:
    """Full names of what the module at `path` imports; `package` is its own package."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            base = parts[: len(parts) - node.level + 1] if node.level else []
            prefix = ".".join([*base, *([node.module] if node.module else [])])
            yield prefix
            yield from (f"{prefix}.{alias.name}" for alias in node.names)


def foreign_title_imports(titles: Path) -> list[str]:
    """Imports in one title's package that lead into another title's package."""
    names = {path.name for path in titles.iterdir() if path.is_dir() and not path.name.startswith("_")}
    found = []
    for title in sorted(names):
        for path in sorted((titles / title).rglob("*.py")):
            package = ".".join([TITLES, *path.relative_to(titles).parts[:-1]])
            for module in imported_modules(path, package):
                rest = module.removeprefix(TITLES + ".")
                if rest != module and rest.split(".")[0] in names - {title}:
                    found.append(f"{path.relative_to(titles)} imports {module}")
    return found


def test_no_title_imports_another(repository: Path) -> None:
    """A title's package imports nothing from another title's package."""
    assert foreign_title_imports(repository / "services" / "rules" / "titles") == []


def test_a_foreign_import_would_be_seen(tmp_path: Path) -> None:
    """Absolute and relative imports across titles are both found."""
    for title in ("g1", "g2"):
        (tmp_path / title).mkdir()
    (tmp_path / "g1" / "steps.py").write_text(
        f"from ..g2 import map\nimport {TITLES}.g2.trains\nfrom . import own\nfrom {TITLES} import registry\n"
    )
    assert foreign_title_imports(tmp_path) == [
        f"g1/steps.py imports {TITLES}.g2",
        f"g1/steps.py imports {TITLES}.g2.map",
        f"g1/steps.py imports {TITLES}.g2.trains",
    ]


def test_the_embedded_host_needs_no_broker(repository: Path) -> None:
    """Its process imports no client of Kafka and none of Redis, which take time and memory."""
    completed = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, services.host.embedded, services.cli.up, services.client.games;"
            "print(*sorted({name.partition('.')[0] for name in sys.modules}))",
        ],
        cwd=repository,
        capture_output=True,
        text=True,
        check=True,
    )
    imported = set(completed.stdout.split())
    assert imported & {"aiokafka", "confluent_kafka", "faust", "kafka", "redis"} == set()
    assert {"grpc", "services"} <= imported


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Each can be read, and loaded, after those that it imports. `prepare` names the modules of a circle."""
    graph = grimp.build_graph("services", exclude_type_checking_imports=True)
    modules = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert len(modules) > 1_000
    TopologicalSorter(modules).prepare()
