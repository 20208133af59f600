"""What a player may do, in words and in groups. No command is known here: those without words of their own are shown with
their fields, so a title's own commands need nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from google.protobuf import json_format

from services.gen.signalbox.rules.v1 import choice_pb2, rules_pb2, title_pb2
from services.web.pages.phrases import plain
from services.web.pages.texts import Texts

TITLE_COMMAND = "title_command"
TYPE = "@type"
FIELDS: Mapping[int, str] = {
    choice_pb2.OPEN_FIELD_PRICE: "price",
    choice_pb2.OPEN_FIELD_AMOUNT: "amount",
}
EDGES = 6
Faces: TypeAlias = Mapping[str, title_pb2.PrintedFace]
NO_FACES: Faces = {}
# The number of a certificate where any will do.
ANY = "-1"
WORDS_IN_A_NAME = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class ShownChoice:
    """A choice on a page. `command`: as JSON, sent back as it is. `cost`: 0 where the words say it. `field`: what is left to
    fill, empty for nothing. `tile`: what would lie on the hex, empty for none; `track`: its track as it would lie there, each
    from edge to edge, such as `0-3`, or from an edge to a stop, such as `2`."""

    words: str
    command: str
    hex: str
    cost: int
    field: str
    minimum: int
    maximum: int
    step: int
    tile: str
    rotation: str
    track: str


@dataclass(frozen=True, slots=True)
class ChoiceGroup:
    """Choices of one kind; those on the map by hex, others under the empty name. `clause`: of the rulebook, on which they
    rest."""

    heading: str
    clause: str
    by_hex: Mapping[str, Sequence[ShownChoice]]


def sendable(offered: rules_pb2.ListChoicesResponse) -> Iterable[choice_pb2.Choice]:
    """Choices that a form can send. Runs that are open, and that routing has not found, are drawn by the player."""
    is_known = offered.HasField("best_runs")
    return [each for each in offered.choices if is_known or each.open_field != choice_pb2.OPEN_FIELD_RUNS]


def grouped(
    choices: Iterable[choice_pb2.Choice], texts: Texts, names: Mapping[str, str], faces: Faces = NO_FACES
) -> Sequence[ChoiceGroup]:
    """Choices as a page shows them. `names`: of players and companies, by id; `faces`: of tiles."""
    groups: dict[tuple[str, str], dict[str, list[ShownChoice]]] = {}
    for choice in choices:
        command = json_format.MessageToDict(choice.command, preserving_proto_field_name=True)
        ((kind, body),) = command.items()
        shown = _shown(choice, kind, body, texts, names, faces)
        key = _heading(kind, body, texts), choice.clause
        groups.setdefault(key, {}).setdefault(shown.hex, []).append(shown)
    return [ChoiceGroup(*key, by_hex) for key, by_hex in groups.items()]


def filled(command: str, field: str, value: str) -> dict[str, Any]:
    """The command of a form with its open field. Raises `ValueError` for what no page of ours sends."""
    given = json.loads(command)
    if not isinstance(given, dict) or len(given) != 1:
        raise ValueError("a command has one body")
    (body,) = given.values()
    if field:
        if field not in FIELDS.values() or not isinstance(body, dict):
            raise ValueError("a command has no such field")
        body[field] = value
    return given


def _shown(
    choice: choice_pb2.Choice,
    kind: str,
    body: Mapping[str, Any],
    texts: Texts,
    names: Mapping[str, str],
    faces: Faces,
) -> ShownChoice:
    tile, rotation = str(body.get("tile", "")), int(body.get("rotation", 0))
    open_field = FIELDS.get(choice.open_field, "")
    return ShownChoice(
        words=_words(kind, {name: body[name] for name in body if name != open_field}, texts, names),
        command=json.dumps({kind: body}, separators=(",", ":")),
        hex=str(body.get("hex", "")),
        cost=0 if _says_cost(choice, kind, body, texts) else choice.cost,
        field=open_field,
        minimum=choice.minimum,
        maximum=choice.maximum,
        step=choice.step or 1,
        tile=tile,
        rotation=str(rotation),
        track=_track(faces[tile], rotation) if tile in faces else "",
    )


def _track(face: title_pb2.PrintedFace, rotation: int) -> str:
    """The track of a tile that is turned clockwise by sixths."""
    turned = ([str((end.edge + rotation) % EDGES) for end in each.edges] for each in face.track)
    return " ".join("-".join(ends) for ends in turned)


def _says_cost(choice: choice_pb2.Choice, kind: str, body: Mapping[str, Any], texts: Texts) -> bool:
    """Whether the words of a choice, its fields, have a price that is all of its cost."""
    return texts.found("sentence", kind) is None and str(body.get("price", "")) == str(choice.cost)


def _heading(kind: str, body: Mapping[str, Any], texts: Texts) -> str:
    if kind != TITLE_COMMAND:
        return texts.found("choice", kind) or texts.said(plain(kind).capitalize())
    name = str(body.get(TYPE, "")).rpartition(".")[2]
    return texts.said(WORDS_IN_A_NAME.sub(" ", name).capitalize())


def _words(kind: str, body: Mapping[str, Any], texts: Texts, names: Mapping[str, str]) -> str:
    fields = {name: _value(value, names) for name, value in body.items() if name != TYPE}
    sentence = _sentence(kind, fields, texts)
    if sentence is not None:
        return sentence.format_map(_Unset(fields))
    if kind == "run_trains":
        return "; ".join(_run(each) for each in body.get("runs", ())) or fields.get("company", "")
    if not fields:
        return texts.found("choice", kind) or texts.said(kind)
    first, *more = fields.items()
    return ", ".join([first[1], *(f"{texts.said(plain(name))} {value}" for name, value in more)])


def _sentence(kind: str, fields: Mapping[str, str], texts: Texts) -> str | None:
    """That of a command with this value of a field comes first, such as the one for the certificate with number 0."""
    special = [f"{kind}_any"] if ANY in fields.values() else []
    special += [f"{kind}_{name}_{value}" for name, value in fields.items()]
    return next(filter(None, (texts.found("sentence", each) for each in (*special, kind))), None)


def _run(run: Mapping[str, Any]) -> str:
    hops = [hop.get("hexes", []) for hop in run.get("hops", ())]
    stops = [hop[0] for hop in hops if hop] + [hop[-1] for hop in hops[-1:] if hop]
    return f"{run.get('train', '')}: {' - '.join(stops)}"


def _value(value: Any, names: Mapping[str, str]) -> str:
    if isinstance(value, list):
        return ", ".join(_value(each, names) for each in value)
    if isinstance(value, dict):
        return ", ".join(f"{name} {_value(each, names)}" for name, each in value.items())
    return names.get(str(value), str(value))


class _Unset(dict[str, str]):
    """Fields with their default are not in a message."""

    def __missing__(self, name: str) -> str:
        return "0"
