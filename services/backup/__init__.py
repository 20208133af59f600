"""Copies a platform's facts from Kafka into an object store while games go on, and restores them into an empty Kafka."""
