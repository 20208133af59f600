"""Keys and codes in the trailing metadata, shared by the routing service and its callers."""

# A code that never changes meaning.
REASON_KEY = "signalbox-reason"
# With INTERNAL: the answer failed verification; asking again gives the same result.
ANSWER_WITHHELD = "answer_withheld"
