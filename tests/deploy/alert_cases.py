"""For each alert a story: series over time, when it fires with which text, and when it is silent."""

from __future__ import annotations

from tests.deploy.alerts_of_kafka import ABOUT_DISKS_AND_KAFKA
from tests.deploy.alerts_of_stores import ABOUT_STORES
from tests.deploy.story import Story

UP = {f'up{{job="{job}",instance="{job}:8409"}}': "1x240" for job in ("lobby", "routing", "ledger", "web")}
RULES_UP = 'up{job="rules",instance="rules:8409"}'
WATCH = 'job="rules",method="WatchGame"'
EXECUTE = 'job="rules",method="Execute"'

STORIES = (
    Story(
        "SignalboxServiceMissing",
        {**UP, RULES_UP: "1x60 0x60"},
        rings_at=15,
        silent_at=5,
        summary="No replica of rules answers.",
        labels={"job": "rules"},
    ),
    Story(
        "SignalboxReplicaDown",
        {RULES_UP: "1x60 0x60", 'up{job="rules",instance="other:8409"}': "1x120"},
        rings_at=16,
        silent_at=12,
        summary="Replica rules:8409 of rules has not answered for 5 minutes.",
        labels={"job": "rules", "instance": "rules:8409"},
    ),
    Story(
        "SignalboxServiceNotReady",
        {
            'signalbox_ready{job="rules",instance="rules-0:8409"}': "1x60 0x60",
            'signalbox_ready{job="rules",instance="rules-1:8409"}': "0x120",
        },
        rings_at=13,
        silent_at=11,
        summary="Replicas of rules run, and none of them serves.",
        labels={"job": "rules"},
    ),
    Story(
        "SignalboxReplicaNotReady",
        {
            'signalbox_ready{job="rules",instance="rules-0:8409"}': "1x60 0x120",
            'signalbox_ready{job="rules",instance="rules-1:8409"}': "1x180",
        },
        rings_at=21,
        silent_at=18,
        summary="Replica rules-0:8409 of rules runs, and has not served for 10 minutes.",
        labels={"job": "rules", "instance": "rules-0:8409"},
    ),
    Story(
        "SignalboxProcessRestarts",
        {
            # Five minutes of back-off between lives of a minute, in which it answers.
            'process_start_time_seconds{job="rules",instance="a"}': " ".join(
                f"{1000 + life * 360}x5 _x29" for life in range(6)
            ),
            'process_start_time_seconds{job="rules",instance="b"}': "1000x60 2000x60 3000x60",
        },
        rings_at=25,
        silent_at=17,
        summary="The process at a (rules) started 4 times in half an hour.",
        labels={"job": "rules", "instance": "a"},
    ),
    Story(
        "SignalboxInternalErrors",
        {f'signalbox_rpc_calls_total{{{EXECUTE},code="INTERNAL"}}': "_x60 1x60"},
        rings_at=11,
        silent_at=9,
        summary="Calls of Execute in rules break.",
        labels={"job": "rules", "method": "Execute"},
    ),
    Story(
        "SignalboxCallsUnanswered",
        {
            f'signalbox_rpc_calls_total{{{EXECUTE},code="OK"}}': "0+90x240",
            f'signalbox_rpc_calls_total{{{EXECUTE},code="UNAVAILABLE"}}': "0+1x60 60+10x180",
            f'signalbox_rpc_calls_total{{{WATCH},code="DEADLINE_EXCEEDED"}}': "0+50x240",
        },
        rings_at=20,
        silent_at=9,
        summary="More than 5 % of the calls of rules get no answer in time.",
        labels={"job": "rules"},
    ),
    Story(
        "SignalboxExecuteSlow",
        {
            f'signalbox_rpc_seconds_bucket{{{EXECUTE},le="1.0"}}': "0+100x60 6000+90x240",
            f'signalbox_rpc_seconds_bucket{{{EXECUTE},le="2.5"}}': "0+100x300",
            f'signalbox_rpc_seconds_bucket{{{EXECUTE},le="+Inf"}}': "0+100x300",
        },
        rings_at=30,
        silent_at=9,
        summary="One command in a hundred takes longer than a second.",
    ),
    Story(
        "SignalboxGameHeld",
        {'signalbox_ledger_alarms_total{reason="broken_law"}': "_x60 1x180"},
        rings_at=11,
        silent_at=9,
        summary="The ledger holds a game, because of broken_law.",
        labels={"reason": "broken_law"},
    ),
    Story(
        "SignalboxBooksRebuilt",
        {"signalbox_ledger_rebuilds_total": "0+0x360 0+1x60"},
        rings_at=70,
        silent_at=59,
        summary="Books are made again from the log, over and over.",
    ),
    Story(
        "SignalboxFollowerFails",
        {"signalbox_rules_follower_failures_total": "0x60 1+1x60"},
        rings_at=17,
        silent_at=12,
        summary="What rules decides does not reach those who follow it.",
    ),
    Story(
        "SignalboxRouteQueueLong",
        {
            'signalbox_routing_queue_length{instance="a"}': "7x60 10x60",
            'signalbox_routing_queue_length{instance="b"}': "5x60 6x60",
        },
        rings_at=16,
        silent_at=12,
        summary="8 route questions wait in each replica of routing.",
    ),
    Story(
        "SignalboxRoutesRefused",
        {
            'signalbox_routing_refused_total{reason="queue_full"}': "0x60 0+5x90",
            'signalbox_routing_refused_total{reason="ahead"}': "0+50x240",
        },
        rings_at=20,
        silent_at=9,
        summary="Route questions are refused, because of queue_full.",
        labels={"reason": "queue_full"},
    ),
    Story(
        "SignalboxRouteWorkersDie",
        {'signalbox_routing_worker_restarts_total{instance="a"}': "0x60 0+1x20"},
        rings_at=13,
        silent_at=9,
        summary="Workers of routing at a die.",
        labels={"instance": "a"},
    ),
    Story(
        "SignalboxRouteAnswersWrong",
        {"signalbox_routing_failed_checks_total": "0x60 1x60"},
        rings_at=11,
        silent_at=9,
        summary="An answer of the route solver failed its check and was withheld.",
    ),
    Story(
        "SignalboxRunsDisputed",
        {"signalbox_rules_run_disagreements_total": "0x60 1x60"},
        rings_at=11,
        silent_at=9,
        summary="Rules refuses or values otherwise what routing found to be the best runs.",
    ),
    Story(
        "SignalboxCommandsUnanswered",
        {"signalbox_gateway_unanswered_total": "0x60 0+1x60"},
        rings_at=14,
        silent_at=10,
        summary="Commands go out to the owners of their games and no outcome comes back in time.",
    ),
    Story(
        "SignalboxForwardingFails",
        {
            # Either alone is too little.
            'signalbox_forwarded_calls_total{method="GetGame",result="timeout",instance="a"}': "0x60 0+0.7x60",
            'signalbox_forwarded_calls_total{method="GetGame",result="not_trusted",instance="a"}': "0x60 0+0.7x60",
            'signalbox_forwarded_calls_total{method="GetGame",result="answered",instance="a"}': "0+600x120",
        },
        rings_at=19,
        silent_at=10,
        summary="Replicas of rules do not answer the calls that others pass on to them.",
    ),
    Story(
        "SignalboxCommandGivenUp",
        {'signalbox_owner_commands_given_up_total{reason="failures",instance="a"}': "_x60 1x60"},
        rings_at=11,
        silent_at=9,
        summary="An owner passed over a command: failures.",
        labels={"reason": "failures"},
    ),
    Story(
        "SignalboxReplicaCrashes",
        {
            'signalbox_owner_holds_off{instance="a"}': "0x60 1x6 0x60",
            'signalbox_owner_holds_off{instance="b"}': "0x120",
        },
        rings_at=14,
        silent_at=9,
        summary="The replica of rules at a crashes again and again.",
        labels={"instance": "a"},
    ),
    Story(
        "SignalboxClocksDiffer",
        {
            'signalbox_gateway_expired_early_total{instance="a"}': "0x60 0+1x60",
            'signalbox_gateway_expired_early_total{instance="b"}': "1x120",
        },
        rings_at=13,
        silent_at=10,
        summary="The clock of a differs from that of the owners of games.",
        labels={"instance": "a"},
    ),
    Story(
        "SignalboxCommandsWait",
        {
            # The owner of partition 3, at a, hangs: what it shows stays as it was, others see the commands wait.
            'signalbox_reader_lag_records{reader="owner",partition="3",instance="a"}': "5x120",
            'signalbox_reader_lag_records{reader="owner",partition="3",instance="b"}': "5x60 900x60",
            'signalbox_reader_lag_records{reader="owner",partition="4",instance="b"}': "5x120",
        },
        rings_at=13,
        silent_at=11,
        summary="900 commands wait for the owner of partition 3.",
        labels={"partition": "3"},
    ),
    Story(
        "SignalboxTransactionsSlow",
        {
            'signalbox_owner_transaction_seconds_bucket{le="0.25"}': "0+100x60 6000+90x240",
            'signalbox_owner_transaction_seconds_bucket{le="0.5"}': "0+100x300",
            'signalbox_owner_transaction_seconds_bucket{le="+Inf"}': "0+100x300",
        },
        rings_at=30,
        silent_at=10,
        summary="One transaction in a hundred takes Kafka longer than a quarter of a second.",
    ),
    Story(
        "SignalboxTransactionsAborted",
        {'signalbox_owner_transactions_aborted_total{instance="a"}': "0x60 0+3x120"},
        rings_at=20,
        silent_at=10,
        summary="The owner at a has to give up transactions.",
        labels={"instance": "a"},
    ),
    Story(
        "SignalboxOwnersFenced",
        {'signalbox_owner_fenced_total{instance="a"}': "0x60 0+1x30"},
        rings_at=14,
        silent_at=10,
        summary="The owner at a is fenced off by another, over and over.",
        labels={"instance": "a"},
    ),
    Story(
        "SignalboxTakeoversSlow",
        {
            'signalbox_owner_takeover_seconds_bucket{le="10.0"}': "0+1x60 60x60",
            'signalbox_owner_takeover_seconds_bucket{le="30.0"}': "0+1x120",
            'signalbox_owner_takeover_seconds_bucket{le="+Inf"}': "0+1x120",
        },
        rings_at=19,
        silent_at=10,
        summary="Games wait more than 10 seconds when they change their owner.",
    ),
    Story(
        "SignalboxNoOwner",
        {
            'signalbox_owner_partitions{instance="rules-0:8409"}': "6x60 0x60",
            'signalbox_owner_partitions{instance="rules-1:8409"}': "0x120",
        },
        rings_at=13,
        silent_at=11,
        summary="No replica of rules owns any partition, so no command is carried out.",
    ),
    Story(
        "SignalboxPartitionsWithoutOwner",
        {
            'signalbox_owner_partitions{instance="rules-0:8409"}': "6x60 5x60",
            'signalbox_owner_partitions{instance="rules-1:8409"}': "6x120",
            'signalbox_owner_partitions_to_own{instance="rules-0:8409"}': "12x120",
            'signalbox_owner_partitions_to_own{instance="rules-1:8409"}': "12x120",
        },
        rings_at=13,
        silent_at=11,
        summary="Only 11 partitions have an owner; games of the others stand still.",
    ),
    *ABOUT_DISKS_AND_KAFKA,
    Story(
        "SignalboxWorkStandsStill",
        {
            'signalbox_stalled_seconds{job="rules",reader="owner",instance="rules-0:8409"}': "0x60 0+10x60",
            'signalbox_stalled_seconds{job="rules",reader="owner",instance="rules-1:8409"}': "0x120",
        },
        rings_at=11,
        silent_at=10,
        summary="owner of rules has read nothing for 50s while records waited.",
        labels={"job": "rules", "reader": "owner"},
    ),
    Story(
        "SignalboxProgressUnknown",
        {'signalbox_progress_unknown_seconds{job="ledger"}': "5x60 5+10x60"},
        rings_at=13,
        silent_at=11,
        summary="Kafka has not answered ledger for 2m 55s, so the lag of readers is unknown.",
        labels={"job": "ledger"},
    ),
    Story(
        "SignalboxCopyUnreadable",
        {'signalbox_copy_unreadable_total{topic="rules.events"}': "_x60 1x60"},
        rings_at=11,
        silent_at=9,
        summary="Records of rules.events are no commits.",
        labels={"topic": "rules.events"},
    ),
    Story(
        "SignalboxCommitsConflict",
        {
            'signalbox_copy_commits_total{topic="rules.events",result="conflict"}': "_x60 1x60",
            'signalbox_copy_commits_total{topic="lobby.events",result="conflict"}': "0+1x120",
        },
        rings_at=11,
        silent_at=9,
        summary="Commits of rules.events do not continue their games.",
        labels={"topic": "rules.events"},
    ),
    *ABOUT_STORES,
    Story(
        "SignalboxCopyBehind",
        {
            # The disk of a is full: nothing is copied any more.
            'signalbox_reader_behind_seconds{job="rules",instance="a",reader="copy of rules.events"}': "0x60 0+10x180",
            'signalbox_copy_commits_total{job="rules",instance="a",result="appended"}': "0+1x60 60x180",
            'signalbox_reader_behind_seconds{job="rules",instance="b",reader="copy of rules.events"}': "0x60 10x180",
        },
        rings_at=16,
        silent_at=14,
        summary="The copy of the log at a (rules) does not catch up.",
        labels={"job": "rules", "instance": "a"},
    ),
    Story(
        "SignalboxGameBlocked",
        {
            'signalbox_follower_blocked_games{follower="ledger.books",instance="a"}': "0x60 2x60",
            'signalbox_follower_blocked_games{follower="ledger.books",instance="b"}': "0x60 2x60",
            'signalbox_owner_blocked_games{instance="a"}': "0x60 0x60",
        },
        rings_at=11,
        silent_at=9,
        summary="2 games are blocked by ledger.books.",
        labels={"follower": "ledger.books"},
    ),
    Story(
        "SignalboxFollowerBehind",
        {'signalbox_follower_seconds_behind{follower="ledger.books",topic="rules.events"}': "0x60 90x60"},
        rings_at=16,
        silent_at=12,
        summary="ledger.books is 1m 30s behind rules.events.",
        labels={"follower": "ledger.books", "topic": "rules.events"},
    ),
    Story(
        "SignalboxFollowerWaits",
        {'signalbox_follower_waiting{follower="ledger.books",topic="rules.events"}': "0x60 1x60"},
        rings_at=16,
        silent_at=12,
        summary="ledger.books waits with a record of rules.events for something that is away.",
        labels={"follower": "ledger.books", "topic": "rules.events"},
    ),
    Story(
        "SignalboxFollowerBreaksDown",
        {'signalbox_follower_breakdowns_total{follower="ledger.books"}': "0x60 0+1x30"},
        rings_at=14,
        silent_at=9,
        summary="ledger.books restarts again and again.",
        labels={"follower": "ledger.books"},
    ),
    Story(
        "SignalboxRedisAway",
        {
            'signalbox_redis_up{job="rules",instance="a"}': "1x60 0x60",
            'signalbox_redis_up{job="rules",instance="b"}': "1x60 0x60",
            'signalbox_redis_up{job="lobby",instance="c"}': "1x120",
        },
        rings_at=13,
        silent_at=11,
        summary="No replica of rules has Redis.",
        labels={"job": "rules"},
    ),
    Story(
        "SignalboxListsIncomplete",
        {
            'signalbox_lobby_lists_complete{instance="a"}': "1x60 0x60",
            'signalbox_lobby_lists_complete{instance="b"}': "0x4 1x58 0x60",
        },
        rings_at=16,
        silent_at=14,
        summary="No replica of the lobby has complete lists of games.",
    ),
)
