#!/usr/bin/env bash
# Pins every direct and transitive dependency, with hashes for all platforms and no index address: all of them in
# constraints.txt, and of those what runs and nothing else in constraints-run.txt, which goes into the image.
# Needs uv (https://docs.astral.sh/uv/) on the path, or its place in $UV. Only needed to change a dependency.
set -eu
cd "$(dirname "$0")/.."

compile() {
    local output="$1"
    shift
    echo "setuptools>=80" | "${UV:-uv}" pip compile pyproject.toml - --universal --python-version 3.11 \
        --no-emit-index-url --generate-hashes --no-annotate --custom-compile-command "scripts/constraints.sh" \
        --output-file "$output" --quiet "$@"
    echo "$output: $(grep -c '==' "$output") packages pinned"
}

compile constraints.txt --extra dev "$@"
compile constraints-run.txt --constraint constraints.txt "$@"
