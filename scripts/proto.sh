#!/usr/bin/env bash
# Generates services/gen from proto/ and the sample titles' code, and with the argument "baseline" the compatibility
# baseline as well. The compiler's Python is .venv-proto/bin/python, or the one named in $PROTO_PYTHON.
set -eu
cd "$(dirname "$0")/.."
python="${PROTO_PYTHON:-.venv-proto/bin/python}"

# generate ROOT PACKAGE OUT IMPORTS: the code of all protos below ROOT/PACKAGE goes to OUT, which Python imports as IMPORTS.
generate() {
    local root="$1" package="$2" out="$3" imports="$4" folder
    mapfile -t sources < <(cd "$root" && find "$package" -name '*.proto' -path '*/v1/*' | LC_ALL=C sort)
    rm -rf "$out"
    mkdir -p "$out"
    "$python" -m grpc_tools.protoc -I "$root" -I proto \
        --python_out="$out" --pyi_out="$out" --grpc_python_out="$out" "${sources[@]}"

    # protoc knows no import root; the generated tree lives below a package of its own.
    find "$out" \( -name '*.py' -o -name '*.pyi' \) -exec \
        sed -i -E -e "s/^(from|import) $package(\.| import )/\1 $imports.$package\2/" \
        -e 's/^(from|import) signalbox(\.| import )/\1 services.gen.signalbox\2/' {} +
    # An rpc module without a service holds nothing but a version check.
    grep -L '^class ' -r "$out" --include='*_pb2_grpc.py' | xargs -r rm
    find "$out" -type d -exec touch {}/__init__.py \;

    # One list of hashes per package: tests see from it that sources and generated code belong together.
    for folder in $(dirname "${sources[@]}" | LC_ALL=C sort -u); do
        (
            find "$root/$folder" -maxdepth 1 -name '*.proto'
            find "$out/$folder" -maxdepth 1 \( -name '*_pb2*.py' -o -name '*_pb2.pyi' \)
        ) | LC_ALL=C sort | xargs sha256sum > "$out/$folder/SOURCES.sha256"
    done
}

generate tests/samples/proto samples tests/samples/gen tests.samples.gen
generate proto signalbox services/gen services.gen

if [ "${1:-}" = baseline ]; then
    "$python" -m grpc_tools.protoc -I proto --include_imports --descriptor_set_out=proto/baseline.binpb "${sources[@]}"
fi
