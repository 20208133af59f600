#!/usr/bin/env bash
# Gets what the tests with real brokers, with a browser, and of manifests and alarms need on Debian or Ubuntu, as far as it is
# missing: packages (as root or by sudo), the jars of Kafka's server (by Maven, into .kafka) and kustomize (by Go, where
# there is no kubectl that knows components). The second time nothing is done.
set -eu
KUSTOMIZE_VERSION=v5.8.3
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
    echo "tools: Kafka at $SIGNALBOX_TEST_KAFKA and Redis at $SIGNALBOX_TEST_REDIS serve most tests; those with faults need their own"
fi
java_is_new_enough || packages+=(openjdk-17-jre-headless)
need mvn maven
need redis-server redis-server
need promtool prometheus
# Without a window, a menu or a profile it takes two thirds of the processor time.
command -v chromium >/dev/null 2>&1 || need chromium-headless-shell chromium-headless-shell
need node nodejs

if [ ${#packages[@]} -gt 0 ]; then
    echo "tools: missing packages: ${packages[*]}"
    root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! sudo -n true 2>/dev/null; then
            echo "tools: neither root nor sudo without a password; install them: apt-get install ${packages[*]}" >&2
            exit 1
        fi
        root=(sudo -n)
    fi
    "${root[@]}" apt-get update -qq
    # Debian 13 and later have no Java 17, and any newer one serves.
    if [[ " ${packages[*]} " == *" openjdk-17-jre-headless "* ]] && ! apt-cache show openjdk-17-jre-headless >/dev/null 2>&1; then
        packages=("${packages[@]/openjdk-17-jre-headless/default-jre-headless}")
    fi
    if [[ " ${packages[*]} " == *" chromium-headless-shell "* ]] && ! apt-cache show chromium-headless-shell >/dev/null 2>&1; then
        packages=("${packages[@]/chromium-headless-shell/chromium}")
    fi
    # RUNLEVEL=1: their servers are not started; the tests start their own.
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
fi
if ! java_is_new_enough; then
    echo "tools: java is still older than 17 (or not the first on the path)" >&2
    exit 1
fi

if ! command -v kustomize >/dev/null 2>&1 && ! kubectl version --client 2>/dev/null | grep -q Kustomize; then
    if command -v go >/dev/null 2>&1; then
        echo "tools: building kustomize $KUSTOMIZE_VERSION into .tools"
        GOBIN="$PWD/.tools" go install "sigs.k8s.io/kustomize/kustomize/v5@$KUSTOMIZE_VERSION"
    else
        echo "tools: neither kubectl 1.27 or newer nor kustomize, and no go to build it: install one of them" >&2
        exit 1
    fi
fi

version="$(sed -n 's:.*<kafka.version>\(.*\)</kafka.version>.*:\1:p' deploy/kafka/pom.xml)"
jars=".kafka/$version"
if [ -z "${SIGNALBOX_KAFKA_JARS:-}" ] && [ ! -f "$jars/kafka_2.13-$version.jar" ]; then
    echo "tools: fetching Kafka $version by Maven into $jars"
    rm -rf "$jars.half" "$jars"
    mvn -q -B -f deploy/kafka/pom.xml dependency:copy-dependencies "-Djars=$PWD/$jars.half"
    mv "$jars.half" "$jars"
fi
echo "tools: all there"
