#!/usr/bin/env bash
# Gets what the tests with a real Kafka and a real Redis need on Debian or Ubuntu, as far as it is missing:
# packages (as root or by sudo) and the jars of Kafka's server (by Maven, into .kafka). The second time nothing is done.
set -eu
cd "$(dirname "$0")/.."

java_is_new_enough() {
    local version
    version="$(java -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -1)"
    [ "${version:-0}" -ge 17 ]
}

packages=()
need() {
    command -v "$1" >/dev/null 2>&1 || packages+=("$2")
}

if [ -n "${SIGNALBOX_TEST_KAFKA:-}" ] && [ -n "${SIGNALBOX_TEST_REDIS:-}" ]; then
    echo "brokers: Kafka at $SIGNALBOX_TEST_KAFKA and Redis at $SIGNALBOX_TEST_REDIS serve most tests; those with faults need their own"
fi
java_is_new_enough || packages+=(openjdk-17-jre-headless)
need mvn maven
need redis-server redis-server
need promtool prometheus

if [ ${#packages[@]} -gt 0 ]; then
    echo "brokers: missing packages: ${packages[*]}"
    root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! sudo -n true 2>/dev/null; then
            echo "brokers: neither root nor sudo without a password; install them: apt-get install ${packages[*]}" >&2
            exit 1
        fi
        root=(sudo -n)
    fi
    "${root[@]}" apt-get update -qq
    # Debian 13 and later have no Java 17, and any newer one serves.
    if [[ " ${packages[*]} " == *" openjdk-17-jre-headless "* ]] && ! apt-cache show openjdk-17-jre-headless >/dev/null 2>&1; then
        packages=("${packages[@]/openjdk-17-jre-headless/default-jre-headless}")
    fi
    # RUNLEVEL=1: their servers are not started; the tests start their own.
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
fi
if ! java_is_new_enough; then
    echo "brokers: java is still older than 17 (or not the first on the path)" >&2
    exit 1
fi

version="$(sed -n 's:.*<kafka.version>\(.*\)</kafka.version>.*:\1:p' deploy/kafka/pom.xml)"
jars=".kafka/$version"
if [ -z "${SIGNALBOX_KAFKA_JARS:-}" ] && [ ! -f "$jars/kafka_2.13-$version.jar" ]; then
    echo "brokers: fetching Kafka $version by Maven into $jars"
    rm -rf "$jars.half" "$jars"
    mvn -q -B -f deploy/kafka/pom.xml dependency:copy-dependencies "-Djars=$PWD/$jars.half"
    mv "$jars.half" "$jars"
fi
echo "brokers: all there"
