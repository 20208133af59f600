"""The resources of operators: checked by hand, because their schemas come with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from services.common.kafka.topics import RECORD_BYTES_MAX, TOPICS
from services.rules.cluster.group import GROUP as OWNERS
from tests.deploy.consumer_groups import groups_of
from tests.deploy.rendered import SERVICES, Rendered

CLUSTER = "signalbox"
OPERATIONS = {"Read", "Write", "Describe", "DescribeConfigs", "Create", "AlterConfigs"}


def rights(production: Rendered, user: str, kind: str) -> dict[str, set[str]]:
    """What a user may do with resources of a kind, by their name; a prefix ends with a star."""
    (found,) = (each for each in production.of_kind("KafkaUser") if each["metadata"]["name"] == user)
    return {
        _named(rule["resource"]): set(rule["operations"])
        for rule in found["spec"]["authorization"]["acls"]
        if rule["resource"]["type"] == kind
    }


def _named(resource: Any) -> str:
    name = str(resource.get("name", ""))
    return name + "*" if resource.get("patternType") == "prefix" else name


def test_kafka_keeps_what_it_acknowledged(production: Rendered) -> None:
    """Three brokers with disks of their own, two of which must have a record; nobody comes in without name and TLS."""
    (kafka,) = production.of_kind("Kafka")
    config = kafka["spec"]["kafka"]["config"]
    assert config["min.insync.replicas"] == config["transaction.state.log.min.isr"] == 2
    for name in ("default", "offsets.topic", "transaction.state.log"):
        assert config[f"{name}.replication.factor"] == 3, name
    assert config["unclean.leader.election.enable"] is False
    assert config["auto.create.topics.enable"] is False
    assert config["message.max.bytes"] >= RECORD_BYTES_MAX
    assert kafka["spec"]["kafka"]["authorization"] == {"type": "simple"}
    (listener,) = kafka["spec"]["kafka"]["listeners"]
    assert listener["tls"] is True and listener["authentication"] == {"type": "scram-sha-512"}
    assert "topicOperator" not in kafka["spec"]["entityOperator"]


def test_nodes_of_kafka_are_many_and_apart(production: Rendered) -> None:
    """Three brokers and three controllers, bounded, spread over zones, whose disks outlive them."""
    pools = {
        pool["roles"][0]: pool for pool in (each["spec"] for each in production.of_kind("KafkaNodePool"))
    }
    assert set(pools) == {"controller", "broker"}
    for role, pool in pools.items():
        assert pool["replicas"] == 3, role
        assert set(pool["resources"]["limits"]) == {"cpu", "memory"}
        assert all(volume["deleteClaim"] is False for volume in pool["storage"]["volumes"])
        (spread,) = pool["template"]["pod"]["topologySpreadConstraints"]
        assert spread["topologyKey"] == "topology.kubernetes.io/zone"


def test_pods_of_the_operator_are_let_in(production: Rendered) -> None:
    """The namespace takes no pod and no container with rights; each that the operator makes is configured to have none."""
    (namespace,) = production.of_kind("Namespace")
    assert namespace["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"
    (kafka,) = production.of_kind("Kafka")
    seccomp = {"type": "RuntimeDefault"}
    pods: list[tuple[Any, set[str], dict[str, int]]] = [
        (kafka["spec"]["entityOperator"]["template"], {"userOperatorContainer"}, {})
    ]
    for pool in production.of_kind("KafkaNodePool"):
        containers = {"kafkaContainer"} | (
            {"initContainer"} if pool["spec"]["roles"] == ["broker"] else set()
        )
        pods.append((pool["spec"]["template"], containers, {"fsGroup": 0}))
    for template, containers, more in pods:
        assert template["pod"]["securityContext"] == {"runAsNonRoot": True, "seccompProfile": seccomp, **more}
        assert set(template) == {"pod", *containers}
        for container in containers:
            assert template[container]["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "capabilities": {"drop": ["ALL"]},
            }


def test_every_service_comes_in_as_itself(production: Rendered) -> None:
    """Each service and the job have a user of their name, whose secret they mount."""
    users = {each["metadata"]["name"] for each in production.of_kind("KafkaUser")}
    for name in (*SERVICES, "topics", "operator"):
        workload = production.workload(name)
        assert name in users
        assert production.environment(workload)["SIGNALBOX_KAFKA_USER"] == name
        (secret,) = (each["secret"] for each in workload.pod["volumes"] if each["name"] == "kafka")
        assert secret["secretName"] == name
    for each in production.of_kind("KafkaUser", "KafkaNodePool"):
        assert each["metadata"]["labels"]["strimzi.io/cluster"] == CLUSTER


def test_rights_are_for_topics_that_exist(production: Rendered) -> None:
    """Users have rights on declared topics; each is read and written by some service; nobody may delete."""
    declared = {topic.name for topic in TOPICS}
    done: dict[str, set[str]] = {}
    for name in SERVICES:
        for topic, operations in rights(production, name, "topic").items():
            assert topic in declared | {"*"}, f"{name}: {topic}"
            assert operations <= OPERATIONS, f"{name}: {topic}"
            if topic != "*":
                done.setdefault(topic, set()).update(operations)
    assert done == {topic: {"Read", "Write"} for topic in declared}


def test_one_writer_of_the_log(production: Rendered) -> None:
    """Only rules writes the facts of games, and only under its own transactional ids."""
    for name in SERVICES:
        may_write = "Write" in rights(production, name, "topic").get("rules.events", set())
        assert may_write is (name == "rules")
        assert all(each.startswith(f"{name}.") for each in rights(production, name, "transactionalId"))


def test_groups_of_the_code_are_allowed(production: Rendered, repository: Path) -> None:
    """Each service may join the groups that its code names and no others; a prefix is there for one at least."""
    for name in SERVICES:
        joined = groups_of(repository, name)
        allowed = rights(production, name, "group")
        for group in joined:
            assert any(is_covered(group, each) for each in allowed), f"{name}: {group}"
        for each in allowed:
            assert any(is_covered(group, each) for group in joined), f"{name}: {each}"
        seen = {group for group, operations in allowed.items() if operations == {"Describe"}}
        assert seen == ({OWNERS} if name == "lobby" else set()), (
            "the lobby looks at the owners' group and joins it not"
        )
        assert all(allowed[each] == {"Read", "Describe"} for each in allowed.keys() - seen), name


def is_covered(group: str, right: str) -> bool:
    """Whether a right, a prefix if it ends with a star, is one for this group."""
    return group.startswith(right[:-1]) if right.endswith("*") else group == right


def test_every_certificate_is_made(production: Rendered) -> None:
    """Who serves TLS has a certificate for the name it is called by, from the platform's own authority."""
    made = {each["spec"]["secretName"]: each["spec"] for each in production.of_kind("Certificate")}
    for name in (*SERVICES, "redis"):
        (secret,) = (
            each["secret"] for each in production.workload(name).pod["volumes"] if each["name"] == "tls"
        )
        certificate = made[secret["secretName"]]
        assert secret["secretName"] == f"{name}-tls"
        assert name in certificate["dnsNames"]
        assert certificate["issuerRef"] == {"name": "authority", "kind": "Issuer"}
    issuers = {each["metadata"]["name"]: each["spec"] for each in production.of_kind("Issuer")}
    assert issuers["authority"]["ca"]["secretName"] in made
    assert made["authority"]["isCA"] is True


def test_services_speak_tls_among_themselves(production: Rendered) -> None:
    """Every service takes TLS only, those that call others know the authority, and routing asks who calls."""
    callers = {"lobby", "rules", "ledger"}
    for name in SERVICES:
        given = production.environment(production.workload(name))
        assert {"SIGNALBOX_TLS_CERTIFICATE_FILE", "SIGNALBOX_TLS_KEY_FILE"} <= set(given)
        assert ("SIGNALBOX_TLS_CA_FILE" in given) is (name in callers), name
        assert ("SIGNALBOX_TLS_CLIENT_CA_FILE" in given) is (name == "routing"), name
        (certificate,) = (
            each["spec"] for each in production.of_kind("Certificate") if each["metadata"]["name"] == name
        )
        assert name not in callers or "client auth" in certificate["usages"]
