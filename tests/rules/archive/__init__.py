"""Finished games that leave the log for an object store."""
