"""The dictionaries with which values of Kafka records are packed: how they are made, and what they save."""
