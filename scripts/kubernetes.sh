#!/usr/bin/env bash
# Builds what the tests with a real Kubernetes control plane need (devtools/kubernetes/README.md) into the folder
# SIGNALBOX_KUBERNETES, by default ~/.cache/signalbox/kubernetes: its programs from their sources (Go), and the definitions of
# the custom resources of Strimzi, KEDA, cert-manager and the Gateway API. Takes about a quarter of an hour on two cores
# and 3 GB of disk the first time; what is there is not built again.
set -eu
KUBERNETES=v1.34.4
KWOK=v0.8.0
KEDA=v2.21.0
CERT_MANAGER=v1.21.2
GATEWAY_API=v1.6.3
cd "$(dirname "$0")/../devtools/kubernetes"
place="${SIGNALBOX_KUBERNETES:-${XDG_CACHE_HOME:-$HOME/.cache}/signalbox/kubernetes}"
mkdir -p "$place/bin" "$place/definitions"

for each in go mvn java etcd; do
    if ! command -v "$each" >/dev/null 2>&1; then
        echo "kubernetes: $each is missing; on Debian: apt install etcd-server maven openjdk-17-jre-headless, and Go 1.24 or newer" >&2
        exit 1
    fi
done

export CGO_ENABLED=0
for program in kube-apiserver kube-controller-manager kube-scheduler; do
    [ -x "$place/bin/$program-$KUBERNETES" ] && continue
    echo "kubernetes: building $program $KUBERNETES"
    # Clients compare versions, and a program built from a module does not know its own.
    (cd programs && go build -mod=readonly -trimpath -o "$place/bin/$program-$KUBERNETES" \
        -ldflags "-s -w -X k8s.io/component-base/version.gitVersion=$KUBERNETES" "k8s.io/kubernetes/cmd/$program")
    ln -sf "$program-$KUBERNETES" "$place/bin/$program"
done
if [ ! -x "$place/bin/kwok-$KWOK" ]; then
    echo "kubernetes: building kwok $KWOK"
    GOBIN="$place/bin" go install "sigs.k8s.io/kwok/cmd/kwok@$KWOK"
    mv "$place/bin/kwok" "$place/bin/kwok-$KWOK"
    ln -sf "kwok-$KWOK" "$place/bin/kwok"
fi

definitions() {
    local folder
    folder="$(cd / && go mod download -json "$1" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')"
    install -m 644 "$folder"/$2 "$place/definitions"
}
definitions "github.com/kedacore/keda/v2@$KEDA" "config/crd/bases/keda.sh_*.yaml"
definitions "github.com/cert-manager/cert-manager@$CERT_MANAGER" "deploy/crds/*cert-manager.io_*.yaml"
definitions "sigs.k8s.io/gateway-api@$GATEWAY_API" "config/crd/standard/*_g*.yaml"
definitions "sigs.k8s.io/gateway-api@$GATEWAY_API" "config/crd/standard/*_httproutes.yaml"

if [ ! -f "$place/definitions/strimzi-kafkauser.yaml" ]; then
    echo "kubernetes: writing the definitions of Strimzi's resources"
    jars="$place/strimzi-jars"
    mvn -q -B -f strimzi.xml dependency:copy-dependencies "-DoutputDirectory=$jars"
    java -cp "$jars/*" io.strimzi.crdgenerator.CrdGenerator --yaml --target-kube 1.27+ \
        io.strimzi.api.kafka.model.kafka.Kafka="$place/definitions/strimzi-kafka.yaml" \
        io.strimzi.api.kafka.model.nodepool.KafkaNodePool="$place/definitions/strimzi-kafkanodepool.yaml" \
        io.strimzi.api.kafka.model.user.KafkaUser="$place/definitions/strimzi-kafkauser.yaml" 2>/dev/null
fi
echo "kubernetes: all there, in $place"
