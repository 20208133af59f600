#!/usr/bin/env bash
# Builds what tests/deploy/node plays on beside the control plane of scripts/kubernetes.sh: kubelet and kube-proxy of the same
# release, CoreDNS, and images: ours by its own Dockerfile, Kafka and Redis of stand-ins, all on a Debian made by debootstrap
# in place of Python's official image. Into $SIGNALBOX_KUBERNETES, or ~/.cache/signalbox/kubernetes. Needs root, Go, and of
# Debian: buildah containerd containernetworking-plugins debootstrap iproute2 nftables runc; Kafka's jars as `make test` has.
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
sources="$root/scripts/kubernetes"
place="${SIGNALBOX_KUBERNETES:-$HOME/.cache/signalbox/kubernetes}"
scratch="$(mktemp -d)"
store=(buildah --root "$scratch/store" --runroot "$scratch/run")
python="$root/.venv/bin/python"
base=localhost/base
trap 'rm -rf "$scratch"' EXIT

for program in go buildah debootstrap; do
    command -v "$program" >/dev/null 2>&1 || { echo "kubernetes-node: needs $program on the path" >&2; exit 1; }
done
[ "$(id -u)" = 0 ] || { echo "kubernetes-node: only root may make images and start containers" >&2; exit 1; }
mkdir -p "$place/bin" "$place/images" "$place/made"

# made NAME FILE...: whether what these files say was made before.
made() {
    local name="$1" sum
    shift
    sum="$(cat "$@" "$0" | sha256sum)"
    [ "$(cat "$place/made/$name" 2>/dev/null)" != "$sum" ] || { echo "kubernetes-node: $name is there"; return 0; }
    echo "$sum" > "$scratch/$name.sum"
    return 1
}

is_made() {
    mv "$scratch/$1.sum" "$place/made/$1"
}

# build NAME FOLDER LINKER-FLAGS PACKAGE...
build() {
    local name="$1" folder="$sources/$2" flags="$3"
    shift 3
    made "$name" "$folder"/* && return
    echo "kubernetes-node: building $name"
    (cd "$folder" && CGO_ENABLED=0 nice -n 19 go build -trimpath -ldflags "-s -w $flags" -o "$place/bin/" "$@")
    is_made "$name"
}

# In place of Python's official image: a small Debian with its own Python.
make_base() {
    echo "kubernetes-node: making a base by debootstrap"
    debootstrap --variant=minbase --include=ca-certificates,python3-venv,python-is-python3 bookworm "$scratch/base" > "$scratch/said" ||
        { tail "$scratch/said" >&2; exit 1; }
    rm -rf "$scratch"/base/var/cache/apt/archives/*.deb "$scratch"/base/var/lib/apt/lists/*
    local container
    container="$("${store[@]}" from scratch)"
    "${store[@]}" add -q "$container" "$scratch/base" / > /dev/null
    "${store[@]}" config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
    "${store[@]}" commit -q --rm "$container" "$base" > /dev/null
}

# image NAME IN-MANIFESTS BUILD-ARGUMENTS...
image() {
    local name="$1" known="$2"
    shift 2
    echo "kubernetes-node: making the image $known"
    "${store[@]}" bud -q --isolation chroot --network host --layers -t "$name" "$@" > "$scratch/said" 2>&1 || { tail -20 "$scratch/said" >&2; exit 1; }
    rm -f "$place/images/$name.tar"
    "${store[@]}" push -q "$name" "docker-archive:$place/images/$name.tar:docker.io/$known" > /dev/null
}

# tag NAME: of an image, as the manifests have it.
tag() {
    grep -A1 "name: $1\$" "$root/deploy/k8s/components/images/kustomization.yaml" | sed -n 's/.*newTag: //p'
}

images() {
    local wheels="$scratch/wheels"
    made images "$root/Dockerfile" "$root/constraints-run.txt" "$sources/images/Dockerfile" \
        <(git -C "$root" ls-files -s services deploy/entrypoint.sh deploy/healthy.py) && return
    make_base
    # The packages are fetched out here, where this machine's own settings of pip hold.
    "$python" -m pip download -q --no-deps --only-binary=:all: --require-hashes -d "$wheels" -r "$root/constraints-run.txt"
    printf '[global]\nno-index = true\nfind-links = /wheels\n' > "$scratch/pip.conf"
    image signalbox "library/signalbox:$(tag signalbox)" --build-arg "PYTHON_IMAGE=$base" --ignorefile "$root/.dockerignore" \
        -v "$wheels:/wheels:ro" -v "$scratch/pip.conf:/etc/pip.conf:ro" -f "$root/Dockerfile" "$root"
    mkdir "$scratch/kafka"
    cp "$sources/images/"* "$scratch/kafka/"
    cp -r "$root/.kafka/$(tag apache/kafka)" "$scratch/kafka/jars"
    rm -f "$scratch/kafka/jars/"classes*
    image kafka "apache/kafka:$(tag apache/kafka)" --build-arg "BASE=$base" --target kafka "$scratch/kafka"
    image redis "library/redis:$(tag redis)" --build-arg "BASE=$base" --target redis "$scratch/kafka"
    image pause library/pause:own --build-arg "BASE=$base" --target pause "$scratch/kafka"
    is_made images
}

release="$(cd "$sources/control-plane" && go list -m -f '{{.Version}}' k8s.io/kubernetes)"
build node control-plane "-X k8s.io/component-base/version.gitVersion=$release" k8s.io/kubernetes/cmd/kubelet k8s.io/kubernetes/cmd/kube-proxy
build coredns coredns "" .
images
echo "kubernetes-node: all there, in $place"
