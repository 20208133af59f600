"""All deliveries of a cube that are not dominated: depth-first over the links from its city, cut by what can still be gained.

A way of a cube begins with an own link, comes to no city twice, ends in the first city of its colour, and uses at least as
many own links as others' altogether."""

from __future__ import annotations

from services.routing.domain.links.network import Deliveries, Delivery, Network

Exit = tuple[int, int, bool]


def find_deliveries(network: Network, city: int, colour: int, steps: int) -> Deliveries:
    """The ways for a cube of `colour` in `city` that are not dominated; of equals the one with the smaller link numbers.

    After `steps` steps the search ends with what it has found, unproven."""
    search = _Search(network, city, colour, steps)
    search.run()
    ways = sorted(search.best.values(), key=lambda way: (-way.own, way.others))
    kept: list[Delivery] = []
    for way in ways:
        if not kept or way.others < kept[-1].others:
            kept.append(way)
    return Deliveries(tuple(kept), search.left > 0, steps - search.left)


class _Search:
    """One search. `best`: the best way found with each number of others' links. Sets of cities are numbers with a bit for
    each city, so that looking ahead takes few operations."""

    def __init__(self, network: Network, city: int, colour: int, steps: int) -> None:
        self.colours, self.colour, self.city = network.colours, colour, city
        self.left = steps
        self.best: dict[int, Delivery] = {}
        exits: list[list[Exit]] = [[] for _ in network.colours]
        self.beside = [0] * len(exits)
        self.with_own = self.with_own_to_an_end = 0
        self.ends = sum(1 << at for at, each in enumerate(network.colours) if each == colour)
        for number, link in enumerate(network.links):
            for at, other in ((link.one, link.other), (link.other, link.one)):
                exits[at].append((number, other, link.is_own))
                self.beside[at] |= 1 << other
                if link.is_own:
                    self.with_own |= 1 << at
                    self.with_own_to_an_end |= (self.ends >> other & 1) << at
        # Own links first: what they lead to cuts most of the rest.
        self.exits = [sorted(each, key=lambda way: (not way[2], way[0])) for each in exits]

    def run(self) -> None:
        """Search from the first own links on."""
        visited = 1 << self.city
        for number, other, is_own in self.exits[self.city]:
            if is_own:
                self._go(other, visited, [number], 1, 0)

    def _go(self, city: int, visited: int, links: list[int], own: int, others: int) -> None:
        """Continue a way that has come to `city`."""
        if self.left <= 0 or visited >> city & 1:
            return
        self.left -= 1
        if self.colours[city] == self.colour:
            self._keep(Delivery(own, others, tuple(links), city))
            return
        visited |= 1 << city
        if self._may_gain(visited, city, own, others):
            for number, other, is_own in self.exits[city]:
                if not visited >> other & 1:
                    links.append(number)
                    self._go(other, visited, links, own + is_own, others + (not is_own))
                    links.pop()

    def _keep(self, way: Delivery) -> None:
        """Note a way if it is allowed and better than what is known."""
        if way.own < way.others:
            return
        known = self.best.get(way.others)
        if known is None or (way.own, known.links) > (known.own, way.links):
            self.best[way.others] = way

    def _may_gain(self, visited: int, city: int, own: int, others: int) -> bool:
        """Whether any way on could be better than all that are known: each further own link needs a city not yet visited
        that has own links."""
        reached, can_end = self._reachable(visited, city)
        if not can_end:
            return False
        most = own + reached
        if most < others:
            return False
        return not any(way.own >= most and count <= others for count, way in self.best.items())

    def _reachable(self, visited: int, city: int) -> tuple[int, bool]:
        """How many further own links a way from `city` can have at most, and whether it can end."""
        gone_through, beside, waiting = 0, 0, 1 << city
        while waiting:
            here = waiting & -waiting
            gone_through |= here
            beside |= self.beside[here.bit_length() - 1]
            waiting = beside & ~(visited | gone_through | self.ends)
        count = (gone_through & ~(1 << city) & self.with_own).bit_count()
        return count + bool(gone_through & self.with_own_to_an_end), bool(beside & self.ends & ~visited)
