"""Partitions of the log as objects in a store, from which a replica that has nothing begins."""
