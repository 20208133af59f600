"""Sentences as messages."""

from __future__ import annotations

from collections.abc import Callable

from services.gen.signalbox.events.v1 import sentence_pb2
from services.rules.adapters.messages import pair
from services.rules.kernel.sentences import Sentence

sentence_message: Callable[[Sentence], sentence_pb2.Sentence] = pair(Sentence, sentence_pb2.Sentence).encode
