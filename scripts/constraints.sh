#!/usr/bin/env bash
# Pins every direct and transitive dependency, with hashes for all platforms and no index address, in constraints.txt.
# Needs uv (https://docs.astral.sh/uv/) on the path, or its place in $UV. Only for whoever changes a dependency.
set -eu
cd "$(dirname "$0")/.."
echo "setuptools>=80" | "${UV:-uv}" pip compile pyproject.toml - --extra dev --universal --python-version 3.11 \
    --no-emit-index-url --generate-hashes --no-annotate --custom-compile-command "scripts/constraints.sh" \
    --output-file constraints.txt --quiet "$@"
echo "constraints.txt: $(grep -c '==' constraints.txt) packages pinned"
