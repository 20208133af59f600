"""A client of the titles that a rules service plays. It needs no token."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.client.calls import Caller
from services.client.games import RULES
from services.gen.signalbox.events.v1.events_pb2 import Ruling
from services.gen.signalbox.rules.v1 import rules_pb2 as pb, title_pb2
from services.gen.signalbox.rules.v1.rules_pb2_grpc import RulesStub


class Titles:
    """Reads titles. What has not changed since it was read is not sent again."""

    def __init__(self, address: str) -> None:
        """`address`: host:port of rules, or several separated by commas."""
        self._caller = Caller(address, RULES)
        self._stub = RulesStub(self._caller.channel)
        self._known: dict[bytes, pb.GetTitleResponse] = {}

    def summaries(self) -> Sequence[title_pb2.TitleSummary]:
        """All titles."""
        return self._caller.call(self._stub.ListTitles, pb.ListTitlesRequest(), pb.ListTitlesResponse).titles

    def title(
        self,
        name: str,
        options: Sequence[str] = (),
        ruling_profile: str = "",
        rulings: Mapping[str, str] | None = None,
        players: int = 0,
    ) -> title_pb2.TitleView:
        """Everything that is printed, as played with these options and rulings by so many players (0: as far as that is the
        same for all numbers), and what can be chosen.

        `NotAnsweredError` with NOT_FOUND for an unknown title, with INVALID_ARGUMENT for choices it does not play."""
        request = pb.GetTitleRequest(
            title=name,
            options=options,
            ruling_profile=ruling_profile,
            rulings=[Ruling(name=key, value=value) for key, value in (rulings or {}).items()],
            players=players,
        )
        key = request.SerializeToString(deterministic=True)
        known = self._known.get(key)
        if known is not None:
            request.known_checksum = known.checksum
        answer = self._caller.call(self._stub.GetTitle, request, pb.GetTitleResponse)
        if known is None or answer.HasField("title"):
            known = self._known[key] = answer
        return known.title

    def close(self) -> None:
        """Close the channel."""
        self._caller.close()
