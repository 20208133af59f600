"""An object store in a bucket, by the S3 API: of a cloud, or of a server of one's own.

Region, endpoint, credentials and authorities come from where every program with this client library takes them:
AWS_REGION, AWS_ENDPOINT_URL_S3, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_SHARED_CREDENTIALS_FILE, AWS_CA_BUNDLE,
or the role of the pod.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from boto3.session import Session
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError, NoRegionError

from services.common.objectstore.port import (
    OBJECT_BYTES_MAX,
    ObjectExists,
    ObjectMissing,
    StoreError,
    StoreRefused,
    StoreUnavailable,
    check_name,
    check_size,
)

CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 30.0
ATTEMPTS = 3
# More a server does not give at a time.
NAMES_PER_ANSWER = 1000
TAKEN = ("PreconditionFailed", "412")
MISSING = ("NoSuchKey", "404")
# Two writers of one name at the same moment: the loser asks again and learns who won.
IN_CONFLICT = "ConditionalRequestConflict"
LEAST_SERVER_ERROR = 500
TOO_MANY_REQUESTS = 429


class S3Store:
    """The `ObjectStore` port on a bucket that supports conditional writes (`If-None-Match: *`)."""

    def __init__(
        self,
        bucket: str,
        prefix: str = "",
        *,
        connect_seconds: float = CONNECT_SECONDS,
        answer_seconds: float = ANSWER_SECONDS,
        attempts: int = ATTEMPTS,
        names_per_answer: int = NAMES_PER_ANSWER,
    ) -> None:
        """Connects at the first call. `prefix`: put before every name; ends with a slash if it is not empty.

        Raises `StoreRefused` where a setting is missing."""
        self._bucket = bucket
        self._prefix = prefix
        self._names_per_answer = names_per_answer
        config = Config(
            connect_timeout=connect_seconds,
            read_timeout=answer_seconds,
            retries={"mode": "standard", "total_max_attempts": attempts},
        )
        with self._reported(""):
            self._client: Any = Session().client("s3", config=config)

    def __str__(self) -> str:
        return f"s3:{self._bucket}/{self._prefix}"

    def put(self, name: str, content: bytes) -> None:
        """See `ObjectStore.put`."""
        key = self._key(name)
        check_size(f"{self}{name}", len(content))
        try:
            with self._reported(name):
                self._client.put_object(Bucket=self._bucket, Key=key, Body=content, IfNoneMatch="*")
        except ObjectExists:
            if self.get(name) != content:
                raise

    def get(self, name: str) -> bytes:
        """See `ObjectStore.get`."""
        key = self._key(name)
        with self._reported(name):
            answer = self._client.get_object(Bucket=self._bucket, Key=key)
            with closing(answer["Body"]) as body:
                check_size(f"{self}{name}", answer["ContentLength"])
                content: bytes = body.read(OBJECT_BYTES_MAX)
        if len(content) != answer["ContentLength"]:
            raise StoreUnavailable(f"{self}{name}: {len(content)} of {answer['ContentLength']} bytes came")
        return content

    def names(self, prefix: str = "", after: str = "") -> Iterator[str]:
        """See `ObjectStore.names`."""
        pages = self._client.get_paginator("list_objects_v2").paginate(
            Bucket=self._bucket,
            Prefix=self._prefix + prefix,
            PaginationConfig={"PageSize": self._names_per_answer},
            **({"StartAfter": self._prefix + after} if after else {}),
        )
        with self._reported(prefix):
            for page in pages:
                for each in page.get("Contents", ()):
                    yield each["Key"].removeprefix(self._prefix)

    def delete(self, name: str) -> None:
        """See `ObjectStore.delete`."""
        key = self._key(name)
        with self._reported(name):
            self._client.delete_object(Bucket=self._bucket, Key=key)

    def _key(self, name: str) -> str:
        check_name(name)
        return self._prefix + name

    @contextmanager
    def _reported(self, name: str) -> Iterator[None]:
        try:
            yield
        except ClientError as problem:
            raise _kind_of(problem)(f"{self}{name}: {problem}") from problem
        except (NoCredentialsError, NoRegionError) as problem:
            raise StoreRefused(f"{self}{name}: {problem}") from problem
        except (BotoCoreError, OSError) as problem:
            raise StoreUnavailable(f"{self}{name}: {problem}") from problem


def _kind_of(problem: ClientError) -> type[StoreError]:
    code = problem.response["Error"]["Code"]
    status = problem.response["ResponseMetadata"]["HTTPStatusCode"]
    if code in TAKEN:
        return ObjectExists
    if code in MISSING:
        return ObjectMissing
    if code == IN_CONFLICT or status >= LEAST_SERVER_ERROR or status == TOO_MANY_REQUESTS:
        return StoreUnavailable
    return StoreRefused
