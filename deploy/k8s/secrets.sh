#!/usr/bin/env bash
# Makes every secret that nobody else makes, anew each time, and writes them as one manifest. For a first start:
# deploy/k8s/secrets.sh | kubectl -n signalbox apply -f -
# `signalbox` is .venv/bin/signalbox, or what $SIGNALBOX names.
set -eu
cd "$(dirname "$0")/../.."
signalbox="${SIGNALBOX:-.venv/bin/signalbox}"
SERVICE_TOKEN_DAYS=365
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
umask 077

random() {
    head -c 30 /dev/urandom | base64 | tr '+/' '-_'
}

secret() {
    local name="$1" file
    shift
    printf -- '---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: %s\n  labels:\n    app.kubernetes.io/part-of: signalbox\ntype: Opaque\ndata:\n' "$name"
    for file in "$@"; do
        printf '  %s: %s\n' "$(basename "$file")" "$(base64 -w0 < "$file")"
    done
}

export SIGNALBOX_TOKEN_KEYS="$folder/keys"
"$signalbox" keys new > /dev/null
secret token-keys "$folder"/keys/*
# Services that only authenticate callers get the keys that verify and none that sign.
secret token-keys-public "$folder"/keys/jwks.json
for service in ledger rules; do
    "$signalbox" token --service "$service" --days "$SERVICE_TOKEN_DAYS" > "$folder/token"
    secret "$service-token" "$folder/token"
done

printf '%s' "$(random)" > "$folder/password"
printf 'user default on #%s ~* &* +@all\n' "$(sha256sum < "$folder/password" | cut -d' ' -f1)" > "$folder/users.acl"
secret redis "$folder/password" "$folder/users.acl"
printf '%s' "$(random)" > "$folder/password"
secret grafana "$folder/password"
