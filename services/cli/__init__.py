"""The command `signalbox`."""

import os

# gRPC reads it when it is first imported. Its core writes lines of its own, one for each compressed call or failed handshake,
# so anybody could fill the log: none unless an operator asks for them.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
