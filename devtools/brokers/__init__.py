"""A real Kafka and a real Redis on this machine, for tests and for trying out the cluster host; see README.md."""
