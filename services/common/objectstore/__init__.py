"""Stores of named immutable objects: a folder of this machine, or a bucket."""
