"""What must hold after an attack: services answer, nothing acknowledged is lost or doubled, nothing refused changed anything,
and the books balance."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from services.client import Books, Games, NotAnsweredError
from services.gen.signalbox.lobby.v1 import lobby_service_pb2, lobby_service_pb2_grpc
from services.host.addresses import Addresses
from tests.attack.fuzz import Effects
from tests.attack.plan import Target
from tests.attack.surface import SERVICES, server_of

HEALTH_SECONDS = 5.0
PAGE = 100


def services_down(addresses: Addresses) -> Iterator[str]:
    """Services that do not report within seconds that they serve."""
    for name, service in SERVICES.items():
        with grpc.insecure_channel(getattr(addresses, server_of(name))) as channel:
            try:
                answer = health_pb2_grpc.HealthStub(channel).Check(
                    health_pb2.HealthCheckRequest(service=service.full_name), timeout=HEALTH_SECONDS
                )
            except grpc.RpcError as error:
                code = error.code() if isinstance(error, grpc.Call) else error
                yield f"{name} does not answer for its health: {code}"
                continue
            if answer.status != health_pb2.HealthCheckResponse.SERVING:
                yield f"{name} does not serve"


def lost_or_doubled(
    addresses: Addresses, token: str, acknowledged: Mapping[str, Mapping[int, bytes]]
) -> Iterator[str]:
    """Events that were acknowledged and are missing or others in the log; gaps; requests executed twice."""
    games = Games(addresses.rules, token)
    for game_id, known in acknowledged.items():
        events = list(games.events(game_id))
        if [event.sequence for event in events] != list(range(1, len(events) + 1)):
            yield f"game {game_id}: the log has gaps"
        stored = {event.sequence: event.SerializeToString(deterministic=True) for event in events}
        lost = [sequence for sequence, content in known.items() if stored.get(sequence) != content]
        if lost:
            yield f"game {game_id}: acknowledged events {lost[:5]} are lost or changed"
        requests = [event.request_id for event in events]
        blocks = [now for before, now in zip([None, *requests], requests, strict=False) if now != before]
        if len(blocks) != len(set(blocks)):
            yield f"game {game_id}: a request was executed twice"
    games.close()


def books_wrong(addresses: Addresses, token: str, game_ids: list[str]) -> Iterator[str]:
    """Games whose books do not balance, differ from rules or are held."""
    books = Books(addresses.ledger, token)
    for game_id in game_ids:
        try:
            balance, audit = books.trial_balance(game_id), books.audit(game_id)
        except NotAnsweredError as failed:
            yield f"game {game_id}: no books: {failed}"
            continue
        if not balance.balanced or audit.differences or audit.broken_laws or audit.HasField("hold"):
            yield f"game {game_id}: the books are wrong: {audit}"
    books.close()


def changed_by_refused(
    addresses: Addresses, target: Target, effects: Effects, others: Collection[str]
) -> Iterator[str]:
    """Events of the target game, and versions of tables, that no answer acknowledged. Tables of the players `others` are not
    looked at."""
    games = Games(addresses.rules, target.tokens["stranger"])
    events = [event.sequence for event in games.events(target.game_id, target.sequence)]
    acknowledged = sorted(
        sequence for first, last in effects.sequences for sequence in range(first, last + 1)
    )
    if events != acknowledged:
        yield f"the game has events {events[:9]} beyond {target.sequence}, acknowledged were {acknowledged[:9]}"
    games.close()
    for table_id, version in table_versions(addresses, target, others).items():
        known = effects.tables.get(table_id, 0)
        if version > known:
            yield f"table {table_id} has version {version}, acknowledged was {known}"


def table_versions(addresses: Addresses, target: Target, others: Collection[str]) -> dict[str, int]:
    """Every table with its version, but those of the players `others`."""
    versions, page_token = {}, ""
    with grpc.insecure_channel(addresses.lobby) as channel:
        stub = lobby_service_pb2_grpc.LobbyServiceStub(channel)
        while True:
            page = stub.ListTables(
                lobby_service_pb2.ListTablesRequest(page_size=PAGE, page_token=page_token),
                metadata=target.metadata("stranger"),
            )
            versions.update(
                {table.table_id: table.version for table in page.tables if table.owner_id not in others}
            )
            page_token = page.next_page_token
            if not page_token:
                return versions
