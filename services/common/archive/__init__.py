"""Streams of the event log that came to their end, each as one object in an object store."""
