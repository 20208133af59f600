"""Migrates a platform from an SQLite file to Kafka and back, and compares both."""
