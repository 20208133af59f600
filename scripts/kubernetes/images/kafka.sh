#!/bin/sh
# Starts a broker by its variables KAFKA_*: the release's wrapper turns them into properties and formats the disk first.
set -eu
java -cp '/opt/kafka/libs/*' kafka.docker.KafkaDockerWrapper setup --default-configs-dir /etc/kafka/docker \
    --mounted-configs-dir /mnt/shared/config --final-configs-dir /opt/kafka/config
exec java ${KAFKA_HEAP_OPTS:-} -Dlog4j2.configurationFile=/etc/kafka/docker/log4j2.properties -cp '/opt/kafka/libs/*' \
    kafka.Kafka /opt/kafka/config/server.properties
