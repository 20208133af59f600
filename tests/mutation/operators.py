"""What is broken on purpose: for one piece of Python code, the ways in which it could be wrong."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeVar

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
OPPOSITE_FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
# Broken by an operator of their own, so that they need no `not` in front.
NEVER_NEGATED = (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Constant)

Tree = TypeVar("Tree", bound=ast.AST)
Breaks = Iterator[tuple[str, ast.AST]]


def breaks(node: ast.AST, parent: ast.AST, *, is_boolean: bool) -> Breaks:
    """(name of the operator, what replaces the node) for every way to break this node; children are not looked into.

    `is_boolean` says that the function around the node returns a boolean."""
    match node:
        case ast.Compare():
            yield from _comparisons(node)
        case ast.BoolOp():
            yield from _boolean_operations(node)
        case ast.BinOp() | ast.AugAssign() if type(node.op) in ARITHMETIC:
            yield "arithmetic", _with(node, op=ARITHMETIC[type(node.op)]())
        case ast.UnaryOp(op=ast.Not()):
            yield "not dropped", node.operand
        case ast.UnaryOp(op=ast.USub()):
            yield "sign dropped", node.operand
        case ast.Constant():
            yield from _constants(node)
        case ast.Call(func=ast.Name(id=name)) if name in OPPOSITE_FUNCTIONS:
            yield "opposite function", _with(node, func=ast.Name(OPPOSITE_FUNCTIONS[name], ast.Load()))
        case ast.stmt():
            yield from _statements(node)
    if isinstance(node, ast.expr) and _is_truth_of(node, parent, is_boolean):
        yield "condition negated", ast.UnaryOp(ast.Not(), node)


def _comparisons(node: ast.Compare) -> Breaks:
    for index, operator in enumerate(node.ops):
        opposite = COMPARISONS[type(operator)]()
        yield "comparison", _with(node, ops=[*node.ops[:index], opposite, *node.ops[index + 1 :]])


def _boolean_operations(node: ast.BoolOp) -> Breaks:
    yield "and/or", _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    for index in range(len(node.values)):
        left = [*node.values[:index], *node.values[index + 1 :]]
        yield "condition skipped", left[0] if len(left) == 1 else _with(node, values=left)


def _constants(node: ast.Constant) -> Breaks:
    if isinstance(node.value, bool):
        yield "boolean", ast.Constant(not node.value)
    elif isinstance(node.value, int):
        yield "constant", ast.Constant(node.value + 1)
        lower = node.value - 1
        yield "constant", ast.Constant(lower) if lower >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-lower))


def _statements(node: ast.stmt) -> Breaks:
    """A check, an effect or a way out that is left out."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "call skipped", ast.Pass()
    elif isinstance(node, ast.Raise):
        yield "refusal skipped", ast.Pass()
    elif isinstance(node, ast.Break | ast.Continue) or (isinstance(node, ast.Return) and node.value is None):
        yield "way out skipped", ast.Pass()


def _is_truth_of(node: ast.expr, parent: ast.AST, is_boolean: bool) -> bool:
    """Whether something is decided by the truth of this node: a condition, a filter, or a boolean that is returned."""
    if isinstance(node, NEVER_NEGATED):
        return False
    if isinstance(parent, ast.If | ast.IfExp | ast.While | ast.Assert):
        return parent.test is node
    if isinstance(parent, ast.comprehension):
        return node in parent.ifs
    return is_boolean and isinstance(parent, ast.Return)


def _with(node: Tree, **fields: object) -> Tree:
    """The node with other fields."""
    values = {name: getattr(node, name) for name in node._fields} | fields
    return type(node)(**values)
