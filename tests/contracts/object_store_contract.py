"""What every object store must do. A test class inherits `ObjectStoreContract` and has a fixture `store`."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from services.common.objectstore.port import (
    OBJECT_BYTES_MAX,
    ObjectExists,
    ObjectMissing,
    ObjectStore,
    ObjectTooLarge,
)

WRITERS = 8


class ObjectStoreContract:
    """The laws of the port."""

    def test_an_object_comes_back_as_it_was_written(self, store: ObjectStore) -> None:
        """Any bytes, none included."""
        for name, content in (("a/b", bytes(range(256)) * 1000), ("empty", b"")):
            store.put(name, content)
            assert store.get(name) == content

    def test_an_object_is_never_changed(self, store: ObjectStore) -> None:
        """Other content under the same name is refused; the same content is a repeat."""
        store.put("point", b"one")
        store.put("point", b"one")
        with pytest.raises(ObjectExists, match="point"):
            store.put("point", b"two")
        assert store.get("point") == b"one"

    def test_of_writers_at_the_same_moment_one_wins(self, store: ObjectStore) -> None:
        """All others are refused, and the object is the winner's."""
        start = Barrier(WRITERS)

        def write(number: int) -> bytes | None:
            start.wait()
            content = b"%d" % number * 10_000
            try:
                store.put("race", content)
            except ObjectExists:
                return None
            return content

        with ThreadPoolExecutor(WRITERS) as pool:
            winners = [each for each in pool.map(write, range(WRITERS)) if each is not None]
        assert winners == [store.get("race")]

    def test_a_missing_object_is_named(self, store: ObjectStore) -> None:
        """Also in a folder that is not there."""
        with pytest.raises(ObjectMissing, match="gone/for-ever"):
            store.get("gone/for-ever")

    def test_names_are_sorted_and_limited(self, store: ObjectStore) -> None:
        """By prefix, which need not end where a folder does, and by the name they come after."""
        assert list(store.names()) == []
        for name in ("b/2", "b/10", "b-x", "a", "b/1"):
            store.put(name, b"")
        assert list(store.names()) == ["a", "b-x", "b/1", "b/10", "b/2"]
        assert list(store.names("b/")) == ["b/1", "b/10", "b/2"]
        assert list(store.names("b/1")) == ["b/1", "b/10"]
        assert list(store.names("b/", after="b/1")) == ["b/10", "b/2"]
        assert list(store.names("c/")) == []

    def test_there_may_be_more_names_than_fit_into_one_answer(self, store: ObjectStore) -> None:
        """Of the buckets in this test: five."""
        names = [f"n/{number:02}" for number in range(12)]
        for name in names:
            store.put(name, b"")
        assert list(store.names("n/")) == names

    def test_a_deleted_object_is_gone(self, store: ObjectStore) -> None:
        """Its name is free again, and another time is no error."""
        store.put("x/y", b"one")
        store.delete("x/y")
        store.delete("x/y")
        with pytest.raises(ObjectMissing):
            store.get("x/y")
        store.put("x/y", b"two")
        assert list(store.names()) == ["x/y"]

    def test_what_is_too_large_is_not_written(self, store: ObjectStore) -> None:
        """One byte above the limit."""
        with pytest.raises(ObjectTooLarge, match="large: 67108865 bytes, at most 67108864"):
            store.put("large", bytes(OBJECT_BYTES_MAX + 1))
        assert list(store.names()) == []

    @pytest.mark.parametrize("name", ["", "/a", "a/", "../a", "a//b", "A", "a/.b", "ä"])
    def test_names_are_plain(self, store: ObjectStore, name: str) -> None:
        """A name that some store could not keep is an error of the program."""
        for call in (lambda: store.put(name, b""), lambda: store.get(name), lambda: store.delete(name)):
            with pytest.raises(ValueError, match="is no name"):
                call()
