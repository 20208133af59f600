"""Where the stops, the track and the tokens of a hex go when a tile replaces what is there."""

from services.rules.parts.map.board import CityId, Tokens
from services.rules.parts.map.tiles import Face

StopMap = tuple[int, ...]


def map_stops(old: Face, new: Face) -> StopMap | None:
    """For each old stop the new stop that takes its place, or None if there is no such assignment.

    Track carries a stop's identity: its new stop has all of its exits. Stops without track take the places of
    their kind in order.
    """
    places: list[int] = []
    for number, stop in enumerate(old.stops):
        exits = old.stop_exits(number)
        if exits:
            fits = [place for place in range(len(new.stops)) if exits <= new.stop_exits(place)]
        else:
            earlier = sum(other.kind == stop.kind for other in old.stops[:number])
            fits = [place for place, other in enumerate(new.stops) if other.kind == stop.kind][earlier:]
        if not fits or new.stops[fits[0]].kind != stop.kind:
            return None
        places.append(fits[0])
    return tuple(places)


def track_kept(old: Face, new: Face, stops: StopMap) -> bool:
    """Is every old piece of track on the new face, with the same edges and the stop in its stop's place?"""
    pieces = {(path.edges, path.stop) for path in new.paths}
    return all((path.edges, None if path.stop is None else stops[path.stop]) in pieces for path in old.paths)


def moved_tokens(tokens: Tokens, hex_id: str, new: Face, stops: StopMap) -> dict[CityId, tuple[str, ...]]:
    """The tokens of the map after the hex shows `new`.

    Tokens keep their city; where cities merge, they follow in the order of the old cities, filling spaces
    from the first.
    """
    result = {city: slots for city, slots in tokens.items() if city[0] != hex_id}
    standing: dict[int, tuple[str, ...]] = {}
    for number, place in enumerate(stops):
        here = tuple(symbol for symbol in tokens.get((hex_id, number), ()) if symbol)
        standing[place] = standing.get(place, ()) + here
    for place, symbols in standing.items():
        if symbols:
            free = new.stops[place].slots - len(symbols)
            result[hex_id, place] = symbols + ("",) * free
    return result
