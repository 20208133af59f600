.PHONY: demo demo-cluster demo-samples clauses up check test lint proto proto-baseline bench soak faults mutate attack kubernetes kubernetes-node
.DEFAULT_GOAL := test

BIN := .venv/bin
READY := .venv/.ready
PROTO_READY := .venv-proto/.ready
PROTOC_VERSION := 1.81.1
FAST_TESTS := $(addprefix tests/,architecture audit bots cli contracts devtools drawing ledger rules samples titles test_tidy.py)

# Where it is set, each of the hundreds of processes that tests start would compile every module anew.
export PYTHONDONTWRITEBYTECODE :=

demo: $(READY)
	$(BIN)/signalbox demo

# The cluster host's demo on a temporary Kafka and Redis (devtools/brokers/README.md).
demo-cluster: $(READY)
	$(BIN)/python -m devtools.brokers $(BIN)/signalbox demo --host cluster

# The sample titles of tests/samples, added from outside (docs/adding-a-title.md).
SAMPLES := PYTHONPATH=. SIGNALBOX_TITLES=tests.samples.island.title:TITLE,tests.samples.fair.title:TITLE

demo-samples: $(READY)
	$(SAMPLES) $(BIN)/signalbox demo --title island
	$(SAMPLES) $(BIN)/signalbox demo --title fair

clauses: $(READY)
	$(BIN)/python -m devtools.clauses

up: $(READY)
	$(BIN)/signalbox up

# Two processes that compute and four that mostly wait (tests/distribution.py) keep two cores at work.
test: $(READY)
	$(BIN)/python -m pytest -n 6

# What can be checked in under two minutes on two cores: no recorded game, no other program, no whole game.
check: $(READY)
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --check --quiet
	$(BIN)/lint-imports --no-logo
	$(BIN)/mypy
	CI= SIGNALBOX_SHARED=none $(BIN)/python -m pytest -n 2 -q -r fE -m "not soak and not integration" $(FAST_TESTS)

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)
	$(BIN)/python -m tests.bench

soak: $(READY)
	$(BIN)/python -m pytest -n 2 -m soak -o faulthandler_timeout=0
	SIGNALBOX_RECKONING=1 $(BIN)/python -m tests.simulation --title $${SIGNALBOX_TITLE:-all} \
		--games $${SIGNALBOX_GAMES:-500} --seed $${SIGNALBOX_SEED:-1000} --processes $${SIGNALBOX_PROCESSES:-2}
	$(BIN)/python -m tests.wholesim --seeds 1000 --seed $${SIGNALBOX_SEED:-1000} --processes $${SIGNALBOX_PROCESSES:-2}

faults: $(READY)
	$(BIN)/python -m tests.faults --kills $${SIGNALBOX_KILLS:-300} --seed $${SIGNALBOX_SEED:-1}

# Once, a quarter of an hour on two idle cores: what tests/deploy/test_control_plane.py needs (deploy/k8s/README.md).
kubernetes:
	scripts/kubernetes.sh

# Once more: kubelet and images, and the laptop overlay played on them; needs root and `make kubernetes` (deploy/k8s/README.md).
kubernetes-node: $(READY)
	scripts/kubernetes-node.sh
	$(BIN)/python -m tests.deploy.node

# For example: make attack ARGS="fuzz --inputs 100000 --seed 7"
attack: $(READY)
	$(BIN)/python -m tests.attack $(ARGS)

# For example: make mutate ARGS="--title g1862 --module trains --number 100 --seed 3"; --title parts or kernel for shared code
mutate: $(READY)
	$(BIN)/python -m tests.mutation $(ARGS)

proto: $(PROTO_READY)
	scripts/proto.sh

proto-baseline: $(PROTO_READY)
	scripts/proto.sh baseline

$(READY): pyproject.toml constraints.txt scripts/venv.sh
	@rm -f $@
	@test -x $(BIN)/python && $(BIN)/python -m pip --version >/dev/null 2>&1 || PYTHON="$(PYTHON)" scripts/venv.sh .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# The oldest compiler whose output every supported protobuf runtime accepts.
$(PROTO_READY): Makefile scripts/venv.sh
	@rm -f $@
	@PYTHON="$(PYTHON)" scripts/venv.sh .venv-proto
	.venv-proto/bin/python -m pip install --quiet --disable-pip-version-check grpcio-tools==$(PROTOC_VERSION) setuptools
	@touch $@
