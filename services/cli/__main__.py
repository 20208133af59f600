"""`python -m services.cli`: the command `signalbox` of this very interpreter."""

from services.cli.main import app

app()
