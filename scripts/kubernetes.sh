#!/usr/bin/env bash
# Builds the control plane of Kubernetes for tests/deploy/test_control_plane.py: API server, controllers, scheduler, kubectl,
# etcd, kwok (nodes without a kubelet), and the definitions of the resources of Strimzi, KEDA, cert-manager and Gateway API.
# Everything is pinned: by go.mod and go.sum, by the checksums of definitions.txt, by a pom. Into $SIGNALBOX_KUBERNETES, or
# ~/.cache/signalbox/kubernetes. Needs Go 1.26, Maven and Java 17. The second time nothing is done.
set -euo pipefail
sources="$(cd "$(dirname "$0")" && pwd)/kubernetes"
place="${SIGNALBOX_KUBERNETES:-$HOME/.cache/signalbox/kubernetes}"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT

for program in go mvn java; do
    command -v "$program" >/dev/null 2>&1 || { echo "kubernetes: needs $program on the path" >&2; exit 1; }
done
mkdir -p "$place/bin" "$place/definitions" "$place/made"

# made NAME FILE...: whether what these files say was made before.
made() {
    local name="$1" sum
    shift
    sum="$(cat "$@" "$0" | sha256sum)"
    [ "$(cat "$place/made/$name" 2>/dev/null)" != "$sum" ] || { echo "kubernetes: $name is there"; return 0; }
    echo "$sum" > "$scratch/$name"
    return 1
}

is_made() {
    mv "$scratch/$1" "$place/made/$1"
}

# version FOLDER MODULE: as its go.mod requires it.
version() {
    (cd "$sources/$1" && go list -m -f '{{.Version}}' "$2")
}

# build NAME TARGET LINKER-FLAGS PACKAGE...
build() {
    local name="$1" target="$2" flags="$3" begin="$SECONDS"
    shift 3
    made "$name" "$sources/$name/go.mod" "$sources/$name/go.sum" && return
    echo "kubernetes: building $name: ${*##*/}"
    (cd "$sources/$name" && CGO_ENABLED=0 nice -n 19 go build -trimpath -ldflags "-s -w $flags" -o "$target" "$@")
    is_made "$name"
    echo "kubernetes: $name built in $((SECONDS - begin)) s"
}

go_definitions() {
    local list="$sources/definitions.txt" module wanted sum file found
    made go-definitions "$list" && return
    echo "kubernetes: fetching the definitions of KEDA, cert-manager and Gateway API"
    while read -r module wanted sum file; do
        [ "$module" != "#" ] || continue
        found="$(cd "$scratch" && go mod download -json "$module@$wanted")"
        if ! grep -qF "\"Sum\": \"$sum\"" <<< "$found"; then
            echo "kubernetes: $module $wanted is not what it was: $found" >&2
            exit 1
        fi
        install -m 644 "$(sed -n 's/.*"Dir": "\(.*\)",/\1/p' <<< "$found")/$file" "$place/definitions/"
    done < "$list"
    is_made go-definitions
}

# The definitions are made as Strimzi's own build makes them, from the classes of the release.
strimzi_definitions() {
    local jars="$scratch/jars" model=io.strimzi.api.kafka.model kinds=()
    made strimzi-definitions "$sources/strimzi/pom.xml" && return
    echo "kubernetes: making the definitions of Strimzi"
    mvn -q -B -Dstyle.color=never -f "$sources/strimzi/pom.xml" dependency:copy-dependencies "-Djars=$jars"
    for kind in kafka.Kafka nodepool.KafkaNodePool user.KafkaUser; do
        kinds+=("$model.$kind=$place/definitions/kafka.strimzi.io_${kind%%.*}.yaml")
    done
    mv "$jars"/crd-generator-*.jar "$scratch/generator.jar"
    java -cp "$jars/*:$scratch/generator.jar" io.strimzi.crdgenerator.CrdGenerator --target-kube 1.25+ \
        --crd-api-version v1 --api-versions v1 --storage-version v1 --describe-api-versions v1 --yaml "${kinds[@]}" 2> "$scratch/said" ||
        { cat "$scratch/said" >&2; exit 1; }
    is_made strimzi-definitions
}

# What kwok plays: a node is ready at once, a pod on it too, a job's pod ends well at once, a deleted pod goes at once.
stages() {
    local folder
    folder="$(cd "$sources/kwok" && go list -m -f '{{.Dir}}' sigs.k8s.io/kwok)/kustomize/stage"
    for file in "$folder"/node/fast/node-*.yaml "$folder"/pod/fast/pod-*.yaml; do
        echo ---
        cat "$file"
    done > "$place/stages.yaml"
}

go_definitions
strimzi_definitions
build etcd "$place/bin/etcd" "" go.etcd.io/etcd/server/v3
build kwok "$place/bin/kwok" "" sigs.k8s.io/kwok/cmd/kwok
stages
commands=k8s.io/kubernetes/cmd
build control-plane "$place/bin/" "-X k8s.io/component-base/version.gitVersion=$(version control-plane k8s.io/kubernetes)" \
    $commands/kube-apiserver $commands/kube-controller-manager $commands/kube-scheduler $commands/kubectl
echo "kubernetes: all there, in $place"
