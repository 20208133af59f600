"""Words of the trailing metadata in which the routing service and its callers agree."""

# A code that never changes meaning.
REASON_KEY = "signalbox-reason"
# With INTERNAL: the verifier refused what the search found, and would again.
ANSWER_WITHHELD = "answer_withheld"
