"""Moving a platform from one machine's file to Kafka and back, and comparing the two."""
