"""The operators' page names objects of Kubernetes in its commands: all of them exist in the production overlay."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.deploy.operators_page import kubectl_commands
from tests.deploy.rendered import Rendered
from tests.deploy.without_kubelet import asked

KINDS = {
    "certificate": "Certificate",
    "certificates": "Certificate",
    "deployment": "Deployment",
    "job": "Job",
    "kafkanodepool": "KafkaNodePool",
    "pod": "Pod",
    "pods": "Pod",
    "pvc": "PersistentVolumeClaim",
    "scaledobject": "ScaledObject",
    "secret": "Secret",
    "statefulset": "StatefulSet",
}
WITH_KIND = ("annotate", "delete", "describe", "get", "patch", "rollout", "scale")
WITH_POD = ("cp", "exec", "logs")
# Made by Strimzi, by names of its own, for the cluster "signalbox"; the second is its operator, wherever that runs.
OF_STRIMZI = {("Secret", "signalbox-cluster-ca-cert"), ("Deployment", "strimzi-cluster-operator")}
# Of components that production does not name.
OF_COMPONENTS = {("Deployment", "backup")}
LABELS_OF_STRIMZI = {"strimzi.io/cluster": "Kafka", "strimzi.io/pool-name": "KafkaNodePool"}
OPTIONS_WITH_VALUE = {"-n", "-l", "-p", "-o", "--type", "-k", "-f"}


class Named(NamedTuple):
    """An object that a command names."""

    kind: str
    name: str


def commands(page: str) -> Iterator[list[str]]:
    """The words behind each `kubectl` of blocks and of running text."""
    for each in chain.from_iterable(kubectl_commands(page).values()):
        first = each.splitlines()[0]
        yield shlex.split(re.split(r" [|#]| >| <<", first.partition("kubectl ")[2])[0])


def positional(words: list[str]) -> list[str]:
    """A command's words without options, and without what runs in a container."""
    kept, skip = [], False
    for word in words[: words.index("--")] if "--" in words else words:
        if not skip and not word.startswith("-"):
            kept.append(word)
        skip = word in OPTIONS_WITH_VALUE
    return kept


def is_name(word: str) -> bool:
    """Whether a word names something: not a place for a name, a change of an annotation, or dots."""
    return re.fullmatch(r"[a-z0-9.-]*[a-z0-9]", word) is not None


def named(words: list[str]) -> Iterator[Named]:
    """The objects of a command."""
    verb, *rest = positional(words)
    if verb == "rollout":
        rest = rest[1:]
    if verb in WITH_POD:
        rest = ["pod", *(each.partition(":")[0] for each in rest[:1] if "/" not in each), *rest[:1]]
    for word in rest:
        kind, slash, name = word.partition("/")
        if slash and kind in KINDS:
            yield Named(KINDS[kind], name)
    if verb in WITH_KIND + WITH_POD and rest and rest[0] in KINDS:
        yield from (Named(KINDS[rest[0]], word) for word in rest[1:] if is_name(word))


def existing(overlay: Rendered) -> set[Named]:
    """What is in the cluster once the overlay was applied, its secrets made and its pods started."""
    found = {Named(each["kind"], each["metadata"]["name"]) for each in overlay.documents}
    for each in overlay.of_kind("Certificate"):
        found.add(Named("Secret", each["spec"]["secretName"]))
    for each in overlay.of_kind("KafkaUser"):
        found.add(Named("Secret", each["metadata"]["name"]))
    for workload in overlay.workloads():
        if workload.kind == "StatefulSet":
            found |= {Named("Pod", f"{workload.name}-{number}") for number in range(workload.replicas)}
    (kafka,) = overlay.of_kind("Kafka")
    for pool in overlay.of_kind("KafkaNodePool"):
        pod = f"{kafka['metadata']['name']}-{pool['metadata']['name']}-0"
        found.add(Named("Pod", pod))
    return found | {Named(*each) for each in OF_STRIMZI | OF_COMPONENTS}


def wanted_labels(selector: str) -> list[tuple[str, str]]:
    """The labels of a selector, `key=value` or `key in (value, value)`, but for those of `OF_COMPONENTS`."""
    key, values = re.fullmatch(r"([^= ]*)(?:=| in )?\(?([^)]*)\)?", selector).groups()  # type: ignore[union-attr]
    others = {name for _, name in OF_COMPONENTS}
    return [(key, each) for each in values.split(", ") if each and each not in others]


@pytest.fixture
def page(repository: Path) -> list[list[str]]:
    """All commands of the page."""
    return list(commands((repository / "docs" / "operations.md").read_text(encoding="utf-8")))


def test_every_object_that_a_command_names_exists(page: list[list[str]], production: Rendered) -> None:
    """Under its kind."""
    asked = {each for words in page for each in named(words)}
    # Not an empty search: services, secrets, pods and parts of operators are all among them.
    assert {kind for kind, _ in asked} >= {"StatefulSet", "Deployment", "Secret", "Pod", "ScaledObject"}
    there = existing(production)
    there |= {Named("PersistentVolumeClaim", each.name) for each in production.workloads()}
    there.add(Named("PersistentVolumeClaim", "data-0-signalbox-brokers-0"))
    assert asked - there == set()


def test_every_namespace_and_label_of_a_command_is_used(page: list[list[str]], production: Rendered) -> None:
    """A wrong one finds nothing, and says nothing."""
    names = {(each["kind"], each["metadata"]["name"]) for each in production.documents}
    labels = [each.labels for each in production.workloads()]
    for words in page:
        options = dict(pairwise(words))
        assert options.get("-n", "signalbox") in ("signalbox", "NAMESPACE-OF-STRIMZI"), words
        for key, value in wanted_labels(options.get("-l", "")):
            if key in LABELS_OF_STRIMZI:
                assert (LABELS_OF_STRIMZI[key], value) in names, words
            else:
                assert any(each.get(key) == value for each in labels), words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "`kubectl -n x scale statefulset lobby rules --replicas=0`",
            {("StatefulSet", "lobby"), ("StatefulSet", "rules")},
        ),
        ("`kubectl -n\nx delete pod redis-0`", {("Pod", "redis-0")}),
        ("`kubectl rollout restart statefulset/ledger`", {("StatefulSet", "ledger")}),
        ("```sh\nkubectl exec deployment/operator -- rm pod a  # pod b\n```", {("Deployment", "operator")}),
        ("`kubectl cp rules-0:PATH there.db`", {("Pod", "rules-0")}),
        ("`kubectl annotate scaledobject routing a.b/paused-`", {("ScaledObject", "routing")}),
    ],
)
def test_names_are_found(text: str, expected: set[tuple[str, str]]) -> None:
    """In blocks and in running text."""
    assert {each for words in commands(text) for each in named(words)} == expected


@pytest.mark.parametrize(
    ("typed", "instead"),
    [
        ("-n x exec -it deployment/operator -- signalbox cp", "-n x wait deployment/operator --for=jsonpath"),
        ("-n x logs --previous rules-0", "-n x wait pod/rules-0 --for=condition"),
        ("cp -c rules rules-0:there here", "wait pod/rules-0 --for=condition"),
        ("-n x describe pod rules-0", "-n x describe pod rules-0"),
        ("-n x delete pod redis-0", "-n x delete pod redis-0 --wait=false"),
        ("-n logs get pods", "-n logs get pods"),
    ],
)
def test_where_no_container_runs_its_pod_is_asked_for(typed: str, instead: str) -> None:
    """All else is typed in as it stands."""
    assert " ".join(asked(typed.split())).startswith(instead)


def test_steps_have_the_commands_of_the_section_they_lead_to() -> None:
    """At their place among their own; documents that stand in a command are part of it."""
    page = (
        "## Stop everything\n```sh\nkubectl scale b\n```\n"
        "## Restore\nBefore: `kubectl get\n a`. [Stop](#stop-everything), then `signalbox restore`.\n"
        "```sh\nkubectl apply -f - <<END\na: 1\nEND\n```\n"
    )
    assert kubectl_commands(page)["Restore"] == [
        "kubectl get a",
        "kubectl scale b",
        "kubectl apply -f - <<END\na: 1\nEND",
    ]
