"""Who may reach whom: exactly the edges below, in every overlay."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tests.deploy.rendered import ALERTS_PORT, SERVICES, WEB, Labels, Rendered, selects

NAME = "app.kubernetes.io/name"
Edge = tuple[str, str, int]
# From, to, port. Names are resolved by everybody.
EDGES: set[Edge] = {
    *((name, "kafka", 9092) for name in (*SERVICES, "topics", "operator")),
    *((name, "redis", 6379) for name in ("lobby", "rules", "routing", "web")),
    ("rules", "routing", 8403),
    ("lobby", "rules", 8402),
    ("ledger", "rules", 8402),
    ("operator", "ledger", 8404),
    ("operator", "lobby", 8401),
    *(("prometheus", name, 8409) for name in (*SERVICES, WEB)),
    (WEB, "lobby", 8401),
    (WEB, "rules", 8402),
    (WEB, "ledger", 8404),
    ("grafana", "prometheus", 9090),
}
# What players and operators reach, from namespaces with this label.
FROM_OUTSIDE: set[Edge] = {
    ("signalbox/gateway", WEB, 8400),
    ("signalbox/gateway", "lobby", 8401),
    ("signalbox/gateway", "rules", 8402),
    ("signalbox/gateway", "ledger", 8404),
    ("signalbox/gateway", "grafana", 3000),
    ("signalbox/metrics", "prometheus", 9090),
}


def pods(overlay: Rendered) -> dict[str, Labels]:
    """Labels of all pods, by name; an operator's Kafka has those that it gives its brokers."""
    found = {each.name: each.labels for each in overlay.workloads()}
    if "kafka" not in found:
        found["kafka"] = {NAME: "kafka", "strimzi.io/cluster": "signalbox"}
    return found


def rules_for(overlay: Rendered, labels: Labels, direction: str) -> Iterator[Any]:
    """The rules of all policies that select these pods."""
    for policy in overlay.of_kind("NetworkPolicy"):
        if selects(policy["spec"]["podSelector"], labels):
            yield from policy["spec"].get(direction.lower(), [])


def reached(overlay: Rendered, name: str, direction: str) -> set[tuple[str, int]]:
    """Pods of this namespace that `name` may reach or be reached by, with the port of the pod that is reached."""
    peers, found = pods(overlay), set()
    for rule in rules_for(overlay, peers[name], direction):
        for peer in rule.get("to" if direction == "Egress" else "from", []):
            if "podSelector" not in peer or "namespaceSelector" in peer:
                continue
            for other, labels in peers.items():
                if selects(peer["podSelector"], labels):
                    found |= {(other, port["port"]) for port in rule.get("ports", [{"port": 0}])}
    return found


def between(edges: set[Edge], overlay: Rendered) -> set[Edge]:
    """The edges between pods that this overlay has."""
    known = pods(overlay)
    return {edge for edge in edges if edge[1] in known and (edge[0] in known or "/" in edge[0])}


def is_among_brokers(edge: Edge) -> bool:
    """Brokers of an operator speak to each other as they like."""
    return edge[0] == edge[1] == "kafka"


def test_everything_is_denied_first(overlay: Rendered) -> None:
    """One policy selects every pod and lets nothing in or out."""
    denying = [
        each["spec"]
        for each in overlay.of_kind("NetworkPolicy")
        if each["spec"] == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    ]
    assert len(denying) == 1


def test_exactly_these_edges_leave(overlay: Rendered) -> None:
    """What pods may reach is the list and no more."""
    found = {
        (name, other, port)
        for name in pods(overlay)
        for other, port in reached(overlay, name, "Egress")
        if not is_among_brokers((name, other, port))
    }
    assert found == between(EDGES, overlay)


def test_exactly_these_edges_arrive(overlay: Rendered) -> None:
    """What pods may be reached by is the same list."""
    found = {
        (other, name, port)
        for name in pods(overlay)
        for other, port in reached(overlay, name, "Ingress")
        if not is_among_brokers((other, name, port))
    }
    assert found == between(EDGES, overlay)


def test_exactly_these_come_from_outside(overlay: Rendered) -> None:
    """From other namespaces only the labelled ones come in, and only to what they need."""
    found: set[Edge] = set()
    for name, labels in pods(overlay).items():
        for rule in rules_for(overlay, labels, "Ingress"):
            for peer in rule["from"]:
                assert "ipBlock" not in peer, name
                if "namespaceSelector" in peer:
                    (label,) = peer["namespaceSelector"]["matchLabels"]
                    found |= {(label, name, port["port"]) for port in rule.get("ports", [{"port": 0}])}
    operator = {("signalbox/operator", "kafka", 0)} if overlay.name == "production" else set()
    assert found == between(FROM_OUTSIDE, overlay) | operator


def test_exactly_these_leave_the_namespace(overlay: Rendered) -> None:
    """Pods reach beyond the namespace for names; besides, Prometheus sends alerts to labelled namespaces, and those of
    Kafka's operator reach the cluster's API."""
    for name, labels in pods(overlay).items():
        outside = [
            (next(iter(selector["matchLabels"]), ""), port["port"])
            for rule in rules_for(overlay, labels, "Egress")
            for peer in rule.get("to", [{"namespaceSelector": {"matchLabels": {}}}])
            for selector in [peer.get("namespaceSelector")]
            if selector is not None
            for port in rule["ports"]
        ]
        names = [("kubernetes.io/metadata.name", 53)] * 2
        is_of_an_operator = overlay.name == "production" and name == "kafka"
        more = [("", 443), ("", 6443)] if is_of_an_operator else []
        more += [("signalbox/alerts", ALERTS_PORT)] if name == "prometheus" else []
        assert sorted(outside) == sorted(names + more), name


def test_ports_of_policies_are_ports_of_pods(overlay: Rendered) -> None:
    """Every edge leads to a port that the pod declares."""
    declared: Mapping[str, set[int]] = {
        each.name: {port["containerPort"] for port in each.container.get("ports", [])}
        for each in overlay.workloads()
    }
    for _, target, port in between(EDGES | FROM_OUTSIDE, overlay):
        if target in declared:
            assert port in declared[target], f"{target} {port}"
