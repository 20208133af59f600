"""Kinds of disturbances that need more than signals: one file for each."""
