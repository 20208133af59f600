"""When alerts about copies that are set aside, backups and the archive have to fire."""

from __future__ import annotations

from tests.deploy.story import Story

ABOUT_STORES: tuple[Story, ...] = (
    Story(
        "SignalboxLogDiverged",
        {'signalbox_copy_set_aside{job="rules",instance="a",topic="rules.events"}': "0x60 1x60"},
        rings_at=11,
        silent_at=9,
        summary="Kafka has lost records of rules.events that a copy of rules has.",
        labels={"job": "rules", "topic": "rules.events"},
    ),
    Story(
        "SignalboxCopyHasNoRoom",
        {
            'signalbox_copy_room_missing_bytes{job="rules",instance="a",topic="rules.events"}': "0x60 1000000x60",
            'signalbox_copy_room_missing_bytes{job="rules",instance="b",topic="rules.events"}': "0x120",
        },
        rings_at=11,
        silent_at=9,
        summary="Beside copies that were set aside a whole copy has no room at a (rules).",
        labels={"job": "rules", "instance": "a"},
    ),
    Story(
        "SignalboxBackupOld",
        # A point a minute for an hour, then none: the process is gone, and another, which has not written one, is soon gone too.
        # It rings on, also days later.
        {
            'signalbox_backup_point_timestamp_seconds{job="backup",instance="a"}': "0+10x360 _x60",
            'signalbox_backup_point_timestamp_seconds{job="backup",instance="b"}': "_x370 0x50",
        },
        rings_at=4320,
        silent_at=70,
        summary="What was played in the last 2d 23h 0m 0s is in no backup.",
    ),
    Story(
        "SignalboxArchiveFails",
        # It is looked through again and again, until the store takes nothing any more at a.
        {
            'signalbox_archive_pass_timestamp_seconds{job="rules",instance="a"}': "0+10x360 3600x1440",
            'signalbox_archive_pass_timestamp_seconds{job="rules",instance="b"}': "0+10x1800",
        },
        rings_at=186,
        silent_at=180,
        summary="No finished game of a (rules) went to the archive for 2h 6m 0s.",
        labels={"job": "rules", "instance": "a"},
    ),
    Story(
        "SignalboxPartitionSnapshotsOld",
        # The store takes nothing any more at a; b owns nothing, so nothing is due.
        {
            'signalbox_partition_snapshots_pass_timestamp_seconds{job="rules",instance="a"}': "0+10x360 3600x1440",
            'signalbox_partition_snapshots_pass_timestamp_seconds{job="rules",instance="b"}': "0+10x1800",
        },
        rings_at=186,
        silent_at=180,
        summary="Snapshots of partitions that are due were not written by a (rules) for 2h 6m 0s.",
        labels={"job": "rules", "instance": "a"},
    ),
    Story(
        "SignalboxArchiveDamaged",
        {
            'signalbox_archive_reads_total{job="rules",instance="a",result="damaged"}': "_x360 1x720",
            'signalbox_archive_reads_total{job="rules",instance="a",result="read"}': "0+1x1080",
        },
        rings_at=61,
        silent_at=59,
        summary="A game in the archive cannot be read, because its object is damaged or missing.",
    ),
)
