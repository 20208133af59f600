"""The description of the HTTP API."""

from __future__ import annotations

from openapi_spec_validator import validate

from services.web.contracts import find_rpcs
from services.web.openapi import describe


def test_the_description_is_openapi() -> None:
    """As its schema wants it, every reference leads somewhere, and every rpc is there; reads with GET too."""
    document = describe(find_rpcs().values())
    validate(document)
    for path, rpc in find_rpcs().items():
        assert set(document["paths"][f"/api{path}"]) == ({"get", "post"} if rpc.is_read else {"post"}), path
