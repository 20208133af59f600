#!/bin/sh
# Gives every volume of a service more room while it runs: expand.sh rules 200Gi [NAMESPACE]
# The claims grow at once. The claim templates of a StatefulSet cannot be changed, so the set is deleted without its pods; it
# comes back with the next `kubectl apply -k`, for which the overlay must have the new size. For the brokers change `size` of the
# KafkaNodePool instead: Strimzi does the rest.
set -eu
service="$1" size="$2" namespace="${3:-signalbox}"
claims=$(kubectl -n "$namespace" get pvc -l "app.kubernetes.io/name=$service" -o name)
[ -n "$claims" ] || { echo "no claims of $service in the namespace $namespace" >&2; exit 1; }
for claim in $claims; do
    class=$(kubectl -n "$namespace" get "$claim" -o 'jsonpath={.spec.storageClassName}')
    if [ "$(kubectl get storageclass "$class" -o 'jsonpath={.allowVolumeExpansion}')" != true ]; then
        echo "$claim: the storage class $class does not let volumes grow (allowVolumeExpansion)" >&2
        exit 1
    fi
done
for claim in $claims; do
    kubectl -n "$namespace" patch "$claim" --type merge \
        --patch "{\"spec\":{\"resources\":{\"requests\":{\"storage\":\"$size\"}}}}"
done
kubectl -n "$namespace" delete statefulset "$service" --cascade=orphan
echo "now set $size for $service in the overlay and apply it: until then a pod that goes does not come back"
