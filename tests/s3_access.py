"""The variables by which a process reaches a server of the S3 API that a test has started."""

from __future__ import annotations


def access_to(server: str) -> dict[str, str]:
    """All of them; `server`: its address, http://HOST:PORT."""
    return {
        "AWS_ENDPOINT_URL_S3": server,
        "AWS_REGION": "us-east-1",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_EC2_METADATA_DISABLED": "true",
    }
