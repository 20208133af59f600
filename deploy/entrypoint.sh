#!/bin/sh
# Starts `signalbox` with the arguments given. The kernels that were compiled while the image was made are copied to
# NUMBA_CACHE_DIR first, because they are used only from a folder that can be written, and the image cannot.
set -eu
if [ -n "${NUMBA_CACHE_DIR:-}" ]; then
    # What is in the folder, not the folder: a volume belongs to root, and nobody else may set its times.
    cp -R --preserve=timestamps --no-clobber /opt/signalbox/kernels/* "$NUMBA_CACHE_DIR"
fi
exec signalbox "$@"
