"""The form for a new event: what it begins with, and the charter that it describes."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from services.web.pages import fields
from services.web.problems import of_http

USUAL: Mapping[str, str] = {
    "preferred": "4",
    "smallest": "3",
    "largest": "5",
    "scoring": "place",
    "bye_points": "3",
    "appeal_hours": "48",
    "is_rated": "on",
    "external_least": "3",
    "external_most": "5",
}
PRESETS: Mapping[str, Mapping[str, str]] = {
    name: {**USUAL, **given}
    for name, given in tomllib.loads(Path(__file__).with_name("charters.toml").read_text("utf-8")).items()
}
TITLE = "title."
SECONDS_OF_HOUR = 3_600


def as_text(charter: Mapping[str, Any]) -> str:
    """A charter as JSON for people."""
    return json.dumps(charter, indent=2, ensure_ascii=False)


def charter_in(form: Mapping[str, str], systems: Mapping[str, Any], names: tuple[str, str]) -> dict[str, Any]:
    """The charter that a form describes. What a charter may hold is checked by the lobby.

    `systems`: what `scoring.system` may be, by name; `names`: of the first stage and the final. Raises `ProblemError` for
    what is no number."""
    if form.get("scoring", "") not in systems:
        raise of_http(400, "malformed_request", "scoring: choose one of the systems")
    final_places = fields.small(form, "final_places")
    stages: list[dict[str, Any]] = [{"name": names[0], "format": _format(form), "sizes": _sizes(form)}]
    if final_places:
        final = {"type": "swiss", "rounds": 1}
        stages.append({"name": names[1], "format": final, "sizes": _sizes(form), "places": final_places})
    scoring = {
        "system": systems[form["scoring"]],
        "bye_points": fields.millionths(form, "bye_points"),
    }
    return {
        "name": form.get("name", "").strip(),
        "text": form.get("text", "").strip().replace("\r\n", "\n"),
        "stages": stages,
        "titles": _titles(form),
        "scoring": scoring,
        "entries_max": fields.small(form, "entries_max"),
        "conditions": {"needs_admission": "needs_admission" in form},
        "has_check_in": "has_check_in" in form,
        "turn_seconds": fields.small(form, "turn_hours") * SECONDS_OF_HOUR,
        "second_person_in": [names[1]] if final_places and "second_person" in form else [],
        "appeal_hours": fields.small(form, "appeal_hours"),
        "is_rated": "is_rated" in form,
    }


def _format(form: Mapping[str, str]) -> dict[str, Any]:
    kind = form.get("format", "")
    match kind:
        case "groups":
            figures = {name: fields.small(form, name) for name in ("group_size", "table_size")}
            return {"type": kind, **figures, "rounds": fields.small(form, "rounds")}
        case "knock_out":
            advancing = fields.small(form, "advancing")
            return {"type": kind, "advancing": advancing, "has_consolation": "consolation" in form}
        case _:
            return {"type": kind, "rounds": fields.small(form, "rounds")}


def _sizes(form: Mapping[str, str]) -> dict[str, Any]:
    smallest, largest = fields.small(form, "smallest"), fields.small(form, "largest")
    if not 0 < smallest <= largest < 100:
        raise of_http(400, "malformed_request", "the smallest table is larger than the largest one")
    return {
        "preferred": fields.small(form, "preferred"),
        "allowed": list(range(smallest, largest + 1)),
    }


def _titles(form: Mapping[str, str]) -> list[dict[str, Any]]:
    chosen = [name.removeprefix(TITLE) for name in form if name.startswith(TITLE)]
    found: list[dict[str, Any]] = [
        {
            "title": title,
            "players_min": fields.small(form, f"least.{title}"),
            "players_max": fields.small(form, f"most.{title}"),
        }
        for title in chosen
    ]
    external = form.get("external", "").strip()
    if external:
        least, most = fields.small(form, "external_least"), fields.small(form, "external_most")
        found.append({"title": external, "players_min": least, "players_max": most, "is_external": True})
    return found
