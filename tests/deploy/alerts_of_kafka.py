"""Stories of the alerts about disks, Kafka, the archive, and what ends by itself."""

from __future__ import annotations

from tests.deploy.story import Story

ABOUT_DISKS_AND_KAFKA = (
    Story(
        "SignalboxVolumeFills",
        {
            # 5 GiB, of which 500 commands a second take 650 KB: more than half is free, and will not be for long.
            'signalbox_disk_bytes{job="rules",instance="rules-0:8409"}': "5368709120x120",
            'signalbox_disk_free_bytes{job="rules",instance="rules-0:8409"}': "3000000000-6500000x120",
            'signalbox_disk_bytes{job="ledger",instance="ledger-0:8409"}': "5368709120x120",
            'signalbox_disk_free_bytes{job="ledger",instance="ledger-0:8409"}': "2000000000x120",
        },
        rings_at=17,
        silent_at=14,
        summary="The volume of rules-0:8409 (rules) fills.",
        labels={"job": "rules", "instance": "rules-0:8409"},
    ),
    Story(
        "SignalboxVolumeAlmostFull",
        {
            'signalbox_disk_bytes{job="rules",instance="rules-0:8409"}': "5368709120x60",
            'signalbox_disk_free_bytes{job="rules",instance="rules-0:8409"}': "1500000000-6500000x60",
        },
        rings_at=7,
        silent_at=4,
        summary="The volume of rules-0:8409 (rules) is almost full.",
        labels={"job": "rules", "instance": "rules-0:8409"},
    ),
    Story(
        "SignalboxBrokerDiskFills",
        {
            'signalbox_kafka_disk_bytes{broker="1",instance="ledger-0:8409"}': "200000000000x360",
            'signalbox_kafka_disk_free_bytes{broker="1",instance="ledger-0:8409"}': "70000000000x60 50000000000x300",
            'signalbox_kafka_disk_bytes{broker="1",instance="ledger-1:8409"}': "200000000000x360",
            'signalbox_kafka_disk_free_bytes{broker="1",instance="ledger-1:8409"}': "70000000000x60 50000000000x300",
        },
        rings_at=30,
        silent_at=20,
        summary="The disk of broker 1 fills.",
        labels={"broker": "1"},
    ),
    Story(
        "SignalboxBrokerDiskAlmostFull",
        {
            'signalbox_kafka_disk_bytes{broker="2",instance="ledger-0:8409"}': "200000000000x360",
            'signalbox_kafka_disk_free_bytes{broker="2",instance="ledger-0:8409"}': "70000000000x60 18000000000x300",
        },
        rings_at=16,
        silent_at=12,
        summary="The disk of broker 2 is almost full.",
        labels={"broker": "2"},
    ),
    Story(
        "SignalboxClaimFills",
        {
            f'kubelet_volume_stats_{name}{{namespace="signalbox",persistentvolumeclaim="{claim}"}}': values
            for claim, free in (
                ("data-0-signalbox-controllers-1", "5e9x60 1e9x120"),
                ("data-of-others", "1x180"),
            )
            for name, values in (("available_bytes", free), ("capacity_bytes", "1e10x180"))
        },
        rings_at=26,
        silent_at=20,
        summary="The volume of the claim data-0-signalbox-controllers-1 fills.",
        labels={"namespace": "signalbox", "persistentvolumeclaim": "data-0-signalbox-controllers-1"},
    ),
    Story(
        "SignalboxPartitionsOutOfStep",
        {
            'signalbox_kafka_partitions{state="all",instance="a"}': "300x120",
            'signalbox_kafka_partitions{state="out_of_step",instance="a"}': "0x60 96x60",
        },
        rings_at=16,
        silent_at=12,
        summary="96 partitions have copies that lag or are gone.",
    ),
    Story(
        "SignalboxPartitionsUnwritable",
        {'signalbox_kafka_partitions{state="unwritable",instance="a"}': "0x60 3x60"},
        rings_at=12,
        silent_at=10,
        summary="3 partitions take no writes.",
    ),
    Story(
        "SignalboxKafkaUnknown",
        {
            'signalbox_kafka_unknown_seconds{instance="a"}': "5x60 5+10x120",
            'signalbox_kafka_unknown_seconds{instance="b"}': "5x60 5+10x120",
        },
        rings_at=22,
        silent_at=17,
        summary="Nobody knows how Kafka is.",
    ),
    Story(
        "SignalboxControllersSilent",
        {
            'signalbox_kafka_controllers{state="all",instance="a"}': "3x120",
            'signalbox_kafka_controllers{state="silent",instance="a"}': "0x60 1x60",
        },
        rings_at=16,
        silent_at=14,
        summary="1 controllers of Kafka do not follow the log of the cluster.",
    ),
    Story(
        "SignalboxCertificateEndsSoon",
        {
            'signalbox_certificate_end_seconds{job="rules",file="tls_certificate_file"}': "1300000x60 1200000x90",
            'signalbox_certificate_end_seconds{job="rules",file="tls_ca_file"}': "99000000x150",
        },
        rings_at=21,
        silent_at=18,
        summary="A certificate of rules (tls_certificate_file) ends in 13d 20h 59m 0s.",
        labels={"job": "rules", "file": "tls_certificate_file"},
    ),
    Story(
        "SignalboxCertificateEnds",
        {'signalbox_certificate_end_seconds{job="rules",file="tls_ca_file"}': "180000x120 0x120"},
        rings_at=21,
        silent_at=19,
        summary="A certificate of rules (tls_ca_file) ends within two days, or has ended.",
        labels={"job": "rules", "file": "tls_ca_file"},
    ),
    Story(
        "SignalboxTokenEndsSoon",
        {'signalbox_token_end_seconds{job="ledger"}': "2700000x60 2590000x90"},
        rings_at=21,
        silent_at=18,
        summary="The token with which ledger asks other services ends within 30 days, or has ended.",
        labels={"job": "ledger"},
    ),
)
