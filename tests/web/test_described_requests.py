"""Whatever is sent to the HTTP API: no error of ours, and each answer is what the OpenAPI document says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from tests.web.described_requests import Maker
from tests.web.serving import RULES, seats_at, web_serving

pytestmark = pytest.mark.integration

SEED = 20_261_123
ROUNDS = 3
STREAM_MS = "40"
OURS = (500, 502)
PROBLEM = {"$ref": "#/components/schemas/Problem"}


def test_described_requests_get_described_answers(tmp_path: Path) -> None:
    """Right ones, slightly wrong ones and very wrong ones, for every operation, with a player's token."""
    with web_serving(tmp_path) as web:
        seats = seats_at(web, ("Una", "Vic", "Wim"))
        document = web.ask("GET", "/api/openapi.json").body
        offer = web.ask(
            "GET", f"{RULES}/GetGame?gameId={seats.game}", Authorization=f"Bearer {seats.tokens[0]}"
        )
        known = {
            "gameId": seats.game,
            "tableId": seats.table,
            "title": "1824",
            "playerId": offer.body["game"]["seats"][0]["bearer"],
            "expectedSequence": offer.body["game"]["sequence"],
        }
        statuses = set()
        for each in Maker(document, known, SEED).requests(ROUNDS):
            headers = {"Authorization": f"Bearer {seats.tokens[0]}"}
            if each.is_stream:
                headers["Connect_Timeout_Ms"] = STREAM_MS
            answer = web.ask(each.method, each.path, each.body, **headers)
            assert answer.status not in OURS, (each, answer.body)
            statuses.add(answer.status)
            if answer.status != 200 or not each.is_stream:
                schema = each.answer if answer.status == 200 else PROBLEM
                assert _faults(document, schema, answer.body) == [], (each, answer.body)
        assert {200, 400, 422} <= statuses


def _faults(document: Any, schema: Any, body: Any) -> list[str]:
    validator = Draft202012Validator({**schema, "components": document["components"]})
    return [f"{each.json_path}: {each.message}"[:300] for each in validator.iter_errors(body)]
