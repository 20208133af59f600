"""What the mutations break, how a mutant is written down, and which are drawn."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest

from tests.mutation.mutants import MODULE_LEVEL, Mutant, mutants_in, mutants_of
from tests.mutation.sample import Equivalent, draw, read_equivalents, unused, without_equivalents


def broken(code: str) -> set[str]:
    """The function `f` with this body, broken in every way: the bodies that differ, each in one line."""
    source = f"def f(a, b, c):\n{textwrap.indent(textwrap.dedent(code).strip(), '    ')}\n"
    return {_body(mutant.applied_to(source)) for mutant in mutants_of("f.py", source)}


def _body(source: str) -> str:
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    return "; ".join(" ".join(ast.unparse(statement).split()) for statement in function.body)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("return a < b", {"return a <= b"}),
        ("return a >= b", {"return a > b"}),
        ("return a == b", {"return a != b"}),
        ("return a not in b", {"return a in b"}),
        ("return a is None", {"return a is not None"}),
        ("return a < b <= c", {"return a <= b <= c", "return a < b < c"}),
        ("return a and b", {"return a or b", "return a", "return b"}),
        ("return a or b or c", {"return a and b and c", "return b or c", "return a or c", "return a or b"}),
        ("return not (a or b) and c", {"return (a or b) and c", "return not (a or b)", "return c"}
         | {"return not (a or b) or c", "return not (a and b) and c", "return not a and c", "return not b and c"}),
        ("return 7", {"return 8", "return 6"}),
        ("return 0", {"return 1", "return -1"}),
        ("return True", {"return False"}),
        ("return -a", {"return a"}),
        ("return a + b", {"return a - b"}),
        ("return a * b // c", {"return a // b // c", "return a * b * c"}),
        ("a += b", {"a -= b"}),
        ("return min(a, b)", {"return max(a, b)"}),
        ("return any(a)", {"return all(a)"}),
        ("reject_if(a, b)", {"pass"}),
        ("raise a", {"pass"}),
        ("if a:\n    return b", {"if not a: return b"}),
        ("if a:\n    return", {"if not a: return", "if a: pass"}),
        ("return [x for x in a if b]", {"return [x for x in a if not b]"}),
        ("return b if a else c", {"return b if not a else c"}),
        ("return 'text'", set()),
    ],
)  # fmt: skip
def test_every_way_to_break_a_piece_of_code(code: str, expected: set[str]) -> None:
    """Operators, constants, conditions, checks and effects, one at a time; texts stay."""
    assert broken(code) == expected


def test_a_returned_boolean_is_turned_round() -> None:
    """Only where the function says that it returns one."""
    source = "def f(a) -> bool:\n    return g(a)\n"
    (mutant,) = mutants_of("f.py", source)
    assert mutant.diff(source) == ["-     return g(a)", "+     return (not g(a))"]
    assert mutants_of("f.py", "def f(a) -> int:\n    return g(a)\n") == []


def test_what_is_no_rule_stays() -> None:
    """Annotations, decorators, imports and texts with values are not broken."""
    source = (
        "from a import b\n@cache(maxsize=9)\ndef f(a: int | None) -> str | None:\n    return f'{a + 1}'\n"
    )
    assert mutants_of("f.py", source) == []


SOURCE = """\
LIMIT = 2

class Some:
    def method(self, most=3):
        def inner():
            return 4
        return inner
"""


def test_a_mutant_knows_its_function() -> None:
    """Defaults and tables belong to the module, code of inner functions to the outermost one."""
    found = {mutant.original: mutant.function for mutant in mutants_of("some.py", SOURCE)}
    assert found == {"2": MODULE_LEVEL, "3": MODULE_LEVEL, "4": "Some.method"}


def test_code_over_several_lines_and_with_other_letters() -> None:
    """Columns count in bytes, and all lines of the place are in the diff."""
    source = 'def f(a, b):\n    return g("£", a and\n             b)\n'
    dropped = next(each for each in mutants_of("f.py", source) if each.replacement == "b")
    assert (dropped.span[0], dropped.span[2], dropped.original) == (2, 3, "a and b")
    assert dropped.diff(source) == [
        '-     return g("£", a and',
        "-              b)",
        '+     return g("£", b)',
    ]


def many(functions: int) -> list[Mutant]:
    """Four mutants of each of so many functions."""
    code = "".join(f"def f{number}(a, b):\n    return a < b and a + b\n\n" for number in range(functions))
    return mutants_of("many.py", code)


def test_the_sample_depends_on_the_seed_alone() -> None:
    """The same seed draws the same mutants, another one others."""
    assert draw(many(30), 20, 1) == draw(many(30), 20, 1)
    assert len(draw(many(30), 20, 1)) == 20
    assert draw(many(30), 20, 1) != draw(many(30), 20, 2)


def test_a_change_in_one_function_leaves_the_rest_of_the_sample() -> None:
    """Of all that was drawn only mutants that no longer exist, or give way to new ones, are exchanged."""
    before, after = draw(many(60), 40, 1), draw(many(61), 40, 1)
    kept = {mutant.reading for mutant in before} & {mutant.reading for mutant in after}
    assert len(kept) >= 40 - len({mutant.reading for mutant in after if mutant.function == "f60"})


def test_the_same_code_twice_is_counted(tmp_path: Path) -> None:
    """Mutants that read the same have numbers, also across files."""
    for name in ("one.py", "two.py"):
        (tmp_path / name).write_text("def f(a):\n    return g(a < 0, a < 0)\n")
    numbers = [mutant.number for mutant in mutants_in(tmp_path, tmp_path) if mutant.operator == "comparison"]
    assert numbers == [0, 1, 2, 3]


def test_equivalent_mutants_are_left_out(tmp_path: Path) -> None:
    """By file, function and code; an entry that names none any more is found."""
    file = tmp_path / "equivalent.toml"
    file.write_text(
        '[[equivalent]]\npath = "many.py"\nfunction = "f0"\noriginal = "a < b"\nreason = "no."\n'
        '[[equivalent]]\npath = "other.py"\nfunction = "f0"\noriginal = "a + b"\nreason = "no."\n'
        '[[equivalent]]\npath = "many.py"\nfunction = "f0"\noriginal = "a + b"\n'
        'replacement = "a * b"\nreason = "no."\n'
    )
    listed = read_equivalents(file)
    assert listed[0] == Equivalent("many.py", "f0", "a < b", "", "no.")
    left = without_equivalents(many(1), listed)
    assert [mutant.original for mutant in many(1) if mutant not in left] == ["a < b"]
    assert unused(many(1), listed) == listed[1:]
