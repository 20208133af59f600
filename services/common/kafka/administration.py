"""Topics as Kafka has them, made and compared with what `topics.py` says. Partition counts are never changed: they
decide in which partition a game's records are.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from kafka import KafkaAdminClient
from kafka.admin import ConfigResource, ConfigResourceType
from kafka.errors import KafkaError, NoError, TopicAlreadyExistsError, UnknownTopicOrPartitionError, for_code

from services.common.errors import SignalboxError
from services.common.kafka.clients import KafkaUnreachable, new_admin
from services.common.kafka.settings import KafkaSettings
from services.common.kafka.topics import CLOSED_BYTES, FOR_EVER, SIZE, TOPICS, Topic

IN_STEP = "min.insync.replicas"
MAKING_MS = 20_000
SETTLING_SECONDS = 5.0
SETTLING_STEP_SECONDS = 0.05


class TopicsDiffer(SignalboxError):
    """Kafka's topics are not as they must be. `problems`: one sentence for each finding, the topic's name first."""

    def __init__(self, servers: Sequence[str], problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__(f"topics of Kafka at {', '.join(servers)}: {'; '.join(problems)}")


@dataclass(frozen=True, slots=True)
class TopicState:
    """A topic as Kafka has it. `refused`: why Kafka does not describe it, empty when it does.

    `copies`: the fewest that one of its partitions has."""

    topic: Topic
    name: str
    partitions: int
    copies: int
    config: Mapping[str, str]
    refused: str = ""

    @property
    def is_missing(self) -> bool:
        """Whether Kafka has no such topic."""
        return not (self.partitions or self.refused)

    @property
    def is_closed(self) -> bool:
        """Whether it takes no records, since its platform has moved to other topics or has not begun in these."""
        return SIZE in self.config and int(self.config[SIZE]) <= CLOSED_BYTES


def topic_states(kafka: KafkaSettings, topics: Iterable[Topic] = TOPICS) -> list[TopicState]:
    """Every topic as Kafka has it, in the order given. Raises `KafkaUnreachable`."""
    with _administering(kafka) as admin:
        return _states(admin, kafka, list(topics))


def check_topics(
    kafka: KafkaSettings, topics: Iterable[Topic] = TOPICS, *, may_be_closed: Collection[Topic] = ()
) -> None:
    """Raises `TopicsDiffer` naming everything that would lose, misplace or refuse records, and `KafkaUnreachable`.

    `may_be_closed`: into which the caller does not write yet, or not any more."""
    problems = [
        problem
        for state in topic_states(kafka, topics)
        if not (state.is_closed and state.topic in may_be_closed)
        for problem in problems_of(state, kafka)
    ]
    if problems:
        raise TopicsDiffer(kafka.servers, problems)


def apply_topics(kafka: KafkaSettings, topics: Sequence[Topic] = TOPICS) -> list[str]:
    """Make what is missing, correct settings that differ, and say in sentences what was done.

    May be repeated and run by several at once. Raises `KafkaUnreachable`, and `TopicsDiffer` for what it cannot or
    must not change, after everything else is done."""
    with _administering(kafka) as admin:
        states = _states(admin, kafka, topics)
        refused = [f"{state.name}: {state.refused}" for state in states if state.refused]
        made, not_made = _make(admin, kafka, [state.topic for state in states if state.is_missing])
        corrected, not_corrected = _correct(admin, kafka, [state for state in states if state.partitions])
        remaining = [
            problem
            for state in _settled(admin, kafka, topics, unless=bool(not_made or not_corrected))
            if not (state.is_missing or state.refused)
            for problem in _closed_problems(state) + _shape_problems(state, kafka)
        ]
    problems = refused + not_made + not_corrected + remaining
    if problems:
        raise TopicsDiffer(kafka.servers, problems)
    return made + corrected


def problems_of(state: TopicState, kafka: KafkaSettings) -> list[str]:
    """What is wrong with a topic, in sentences; empty when it can be used."""
    if state.refused:
        return [f"{state.name}: {state.refused}"]
    if state.is_missing:
        return [f"{state.name}: is missing"]
    if state.is_closed:
        return _closed_problems(state)
    wanted = state.topic.config(kafka)
    wrong = [
        f"{state.name}: {name} is {state.config[name]}, must be {wanted[name]}"
        for name in _vital(state.topic)
        if name in state.config and state.config[name] != wanted[name]
    ]
    if state.topic.keep_ms == FOR_EVER:
        wrong += _danger(state, wanted)
    if int(state.config.get(SIZE, wanted[SIZE])) < int(wanted[SIZE]):
        wrong.append(f"{state.name}: {SIZE} is {state.config[SIZE]}, must be {wanted[SIZE]} or more")
    return _shape_problems(state, kafka) + wrong


def _danger(state: TopicState, wanted: Mapping[str, str]) -> list[str]:
    """What may lose records that were acknowledged."""
    unclean, wrong = "unclean.leader.election.enable", []
    if state.config.get(unclean, "false") != "false":
        wrong.append(f"{state.name}: {unclean} is {state.config[unclean]}, must be false")
    if int(state.config.get(IN_STEP, wanted[IN_STEP])) < int(wanted[IN_STEP]):
        wrong.append(f"{state.name}: {IN_STEP} is {state.config[IN_STEP]}, must be {wanted[IN_STEP]} or more")
    return wrong


def differing(state: TopicState, kafka: KafkaSettings) -> dict[str, str]:
    """The settings of a topic that are not as declared, as they should be; a closed one stays closed."""
    return {
        name: value
        for name, value in state.topic.config(kafka).items()
        if state.config.get(name, value) != value and not (name == SIZE and state.is_closed)
    }


def _closed_problems(state: TopicState) -> list[str]:
    if not state.is_closed:
        return []
    return [
        f"{state.name}: is closed: the platform has moved to other topics, or has not begun in these (signalbox repartition)"
    ]


def _shape_problems(state: TopicState, kafka: KafkaSettings) -> list[str]:
    """What no correction of settings mends: the number of partitions and of copies."""
    found = []
    wanted = state.topic.partitions(kafka)
    if state.partitions != wanted:
        found.append(f"{state.name}: has {state.partitions} partitions, must have {wanted}")
    in_step = int(state.config.get(IN_STEP, "1"))
    if state.copies < in_step:
        found.append(
            f"{state.name}: has {state.copies} copies, fewer than the {in_step} that must be in step ({IN_STEP})"
        )
    return found


def _vital(topic: Topic) -> tuple[str, ...]:
    """The settings of a topic that decide whether its records stay."""
    return (
        ("cleanup.policy", "retention.ms", "retention.bytes")
        if topic.keep_ms == FOR_EVER
        else ("cleanup.policy",)
    )


@contextmanager
def _administering(kafka: KafkaSettings) -> Iterator[KafkaAdminClient]:
    admin = new_admin(kafka)
    try:
        yield admin
    except KafkaError as error:
        raise KafkaUnreachable(f"Kafka at {', '.join(kafka.servers)}: {_explained(error, kafka)}") from error
    finally:
        admin.close()


def _states(admin: KafkaAdminClient, kafka: KafkaSettings, topics: Sequence[Topic]) -> list[TopicState]:
    named = {topic.name_in(kafka): topic for topic in topics}
    described = {each["name"]: each for each in admin.describe_topics(list(named))}
    present = [name for name in named if name in described and described[name]["partitions"]]
    configs = _configs(admin, present)
    states = []
    for name, topic in named.items():
        state = described.get(name, {"error_code": UnknownTopicOrPartitionError.errno, "partitions": []})
        partitions = state["partitions"]
        error = for_code(state["error_code"])
        known = error in (NoError, UnknownTopicOrPartitionError)
        states.append(
            TopicState(
                topic,
                name,
                partitions=len(partitions),
                copies=min((len(each["replica_nodes"]) for each in partitions), default=0),
                config=configs.get(name, {}),
                refused="" if known else _explained(error(), kafka),
            )
        )
    return states


def _settled(
    admin: KafkaAdminClient, kafka: KafkaSettings, topics: Sequence[Topic], unless: bool
) -> list[TopicState]:
    """The topics once the brokers know what was just changed, which they learn a little later than the controller."""
    deadline = time.monotonic() + SETTLING_SECONDS
    while True:
        states = _states(admin, kafka, topics)
        settled = not any(state.is_missing or state.is_closed or differing(state, kafka) for state in states)
        if settled or unless or time.monotonic() >= deadline:
            return states
        time.sleep(SETTLING_STEP_SECONDS)


def _configs(admin: KafkaAdminClient, names: list[str]) -> dict[str, dict[str, str]]:
    """The settings of topics that exist; none for a topic whose settings this user may not see."""
    if not names:
        return {}
    resources = [ConfigResource(ConfigResourceType.TOPIC, name) for name in names]
    described = admin.describe_configs(resources, config_filter="all").get("topic", {})
    return {
        name: {key: str(entry["value"]) for key, entry in entries.items()}
        for name, entries in described.items()
    }


def _make(admin: KafkaAdminClient, kafka: KafkaSettings, topics: list[Topic]) -> tuple[list[str], list[str]]:
    """What was made, and what could not be and why."""
    if not topics:
        return [], []
    wanted = {
        topic.name_in(kafka): {
            "num_partitions": topic.partitions(kafka),
            "replication_factor": kafka.replication,
            "configs": topic.config(kafka),
        }
        for topic in topics
    }
    answer = admin.create_topics(wanted, timeout_ms=MAKING_MS, raise_errors=False)
    made, problems, there = [], [], []
    for each in answer["topics"]:
        name, error = each["name"], for_code(each["error_code"])
        if error in (NoError, TopicAlreadyExistsError):
            there.append(name)
        else:
            problems.append(f"{name}: {_explained(error(each['error_message'] or ''), kafka)}")
        if error is NoError:
            partitions = wanted[name]["num_partitions"]
            made.append(f"{name}: made, {partitions} partitions, {kafka.replication} copies")
    admin.wait_for_topics(there, timeout_ms=MAKING_MS)
    return made, problems


def _correct(
    admin: KafkaAdminClient, kafka: KafkaSettings, states: list[TopicState]
) -> tuple[list[str], list[str]]:
    """What was corrected, and what could not be and why."""
    wrong = {state.name: (state, changes) for state in states if (changes := differing(state, kafka))}
    if not wrong:
        return [], []
    resources = [
        ConfigResource(ConfigResourceType.TOPIC, name, dict(changes)) for name, (_, changes) in wrong.items()
    ]
    done, problems = [], []
    for name, result in admin.alter_configs(resources)["topic"].items():
        state, changes = wrong[name]
        changed = ", ".join(f"{key} {state.config[key]} -> {value}" for key, value in changes.items())
        if result == "OK":
            done.append(f"{name}: {changed}")
        else:
            problems.append(f"{name}: {changed}: {result}")
    return done, problems


def _explained(error: KafkaError, kafka: KafkaSettings) -> str:
    """What Kafka said, and to whom where it refused."""
    text = str(error)
    if "Authoriz" in type(error).__name__ or "Authenticat" in type(error).__name__:
        return f"user {kafka.user or 'anonymous'!r} is refused: {text}"
    return text
