"""The whole platform in one process: real services on a Kafka in memory, under a clock and a scheduler of one seed.

The services run as they are, with all their threads, and their parts are put together by the cluster host's own code. What
is not real: the client libraries of Kafka and Faust (`consumers`, `producers`, `admins`, `faust_app`), the network (`rpc`),
and Python's threads and clocks (`schedule`, `primitives`, `modules`); `substitutes` puts them in their places. There is no
Redis, as on a platform without one.

A run (`run`) starts several replicas of each service, plays games as the fault runs do (`players`), lets processes die,
stand still and be cut off meanwhile (`faults`), and looks whether every law holds (`laws`).
"""
