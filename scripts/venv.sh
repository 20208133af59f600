#!/usr/bin/env bash
# Makes the virtual environment $1 with a working pip, or says exactly what the machine lacks.
set -eu
target="$1"
if [ -L "$target" ]; then
    echo "$target is a link to $(readlink "$target"), which others may use; remove the link to have an environment made here." >&2
    exit 1
fi

is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
    local candidate
    if [ -n "${PYTHON:-}" ] && is_new_enough "$PYTHON"; then
        command -v "$PYTHON"
        return 0
    fi
    # A distribution's Python is compiled with its profile; one that pyenv compiled takes up to a third more processor time.
    for candidate in /usr/bin/python3.11 /usr/bin/python3; do
        if is_new_enough "$candidate" && "$candidate" -c 'import venv, sqlite3, ensurepip' >/dev/null 2>&1; then
            echo "$candidate"
            return 0
        fi
    done
    for candidate in python3.11 python3 python3.12 python3.13 python3.14 python; do
        if is_new_enough "$candidate"; then
            command -v "$candidate"
            return 0
        fi
    done
    echo "signalbox needs Python 3.11 or newer and found none (on Debian or Ubuntu: apt install python3 python3-venv)." >&2
    echo "If it is installed elsewhere, name it: make PYTHON=/path/to/python3.11 ..." >&2
    return 1
}

python="$(find_python)"
if ! "$python" -c 'import venv, sqlite3' >/dev/null 2>&1; then
    echo "$python lacks its modules venv or sqlite3 (on Debian or Ubuntu: apt install python3-venv)." >&2
    exit 1
fi
if "$python" -c 'import ensurepip' >/dev/null 2>&1; then
    "$python" -m venv --clear "$target"
elif "$python" -m pip --version >/dev/null 2>&1; then
    # Debian and Ubuntu ship ensurepip apart; a pip outside can fill the environment just as well.
    "$python" -m venv --clear --without-pip "$target"
    "$python" -m pip --python "$target/bin/python" install --quiet --disable-pip-version-check pip
else
    echo "$python can neither make an environment with pip (module ensurepip) nor has a pip of its own." >&2
    echo "On Debian or Ubuntu: apt install python3-venv" >&2
    exit 1
fi
