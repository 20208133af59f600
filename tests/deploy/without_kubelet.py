"""kubectl on a cluster where no container runs: `python without_kubelet.py KUBECTL WORD...`. What needs a container becomes the
question whether its pod is there and ready. Pods go at once, and kubectl is not to wait for that: one of the same name may be
there before it looks, and would be waited for without end. All else is done."""

import os
import sys
from collections.abc import Sequence

IN_CONTAINERS = {"exec", "logs", "cp", "port-forward"}
WITH_VALUE = {"-n", "-c"}
SECONDS = 60


def asked(words: Sequence[str]) -> list[str]:
    """The words of the command to run in the place of this one."""
    outside = list(words[: words.index("--")] if "--" in words else words)
    named = [
        word
        for before, word in zip(["", *outside], outside, strict=False)
        if not word.startswith("-") and before not in WITH_VALUE
    ]
    if named[:2] == ["delete", "pod"]:
        return [*words, "--wait=false"]
    if not named or named[0] not in IN_CONTAINERS:
        return list(words)
    target = named[1].partition(":")[0]
    kind, slash, _ = target.partition("/")
    ready = "jsonpath={.status.readyReplicas}=1" if slash and kind != "pod" else "condition=Ready"
    place = outside[outside.index("-n") : outside.index("-n") + 2] if "-n" in outside else []
    return [*place, "wait", target if slash else f"pod/{target}", f"--for={ready}", f"--timeout={SECONDS}s"]


if __name__ == "__main__":
    os.execv(sys.argv[1], [sys.argv[1], *asked(sys.argv[2:])])
