# Every target installs and builds what it needs; a Node of the project's own comes with the installation.
# `make up` leaves out the packages of test/package.json: linter, browser driver, forge, cast, reference libraries.
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
SHELL := /bin/bash
SPEC ?=
SOURCES := $(shell find src -type f) package.json tsconfig.json

.PHONY: build tools up down test lint bench bench-gossip soak-kills soak-gossip soak-execution soak-traces vectors clean

# Registries are written first, because they are sources of the rest.
build: node_modules/.installed
	@node src/build/registries.ts
	@$(MAKE) --silent dist/.built

# Installs exactly what the lock file says, and again only after it has changed: the stamp is its copy.
node_modules/.installed: package-lock.json
	@cmp -s $< $@ || { echo "npm ci: what the build needs" && bash src/build/install.sh ci --workspaces=false; }
	@cp $< $@

# Adds the packages of tests and lint. `npm ci` would remove and unpack all others once more.
tools: build node_modules/.tools
node_modules/.tools: package-lock.json | node_modules/.installed
	@cmp -s $< $@ || { echo "npm install: what tests and lint need" && bash src/build/install.sh install --no-save; }
	@cp $< $@

# The stamp has the time of the build's start: a source that changes during the build is newer than it.
dist/.built: node_modules/.installed $(SOURCES)
	@mkdir -p dist && touch dist/.building
	@node src/build/contracts.ts
	@node src/build/evm.ts
	@node src/build/bundle.ts
	@mv dist/.building $@

up: build
	@node dist/devnet.js up $(SPEC)

down: build
	@node dist/devnet.js down

test: types
	@vitest run --config test/vitest.config.ts

# Small changes of the sources of FOLDER, one at a time, and those that no test notices: docs/mutants.md.
# FOLDER (src/protocol/rules; several: separated by spaces), TESTS (more folders and files below test/, !FILE: without
# it), CONCURRENCY (1), TARGET (90 percent), TIMEOUT_MS (10,000, more on a busy machine).
.PHONY: mutants
mutants: tools
	@node --disable-warning=ExperimentalWarning test/mutants/run.ts

# The suites of kills, teardown and ports with all hidden that macOS lacks: /proc, marks of processes, loopback
# addresses.
.PHONY: test-macos
test-macos: tools
	@DEVNET_TEST_HIDE=macos vitest run --config test/vitest.config.ts \
	  orchestrator/processes/teardown orchestrator/guard/guard orchestrator/ports/ports orchestrator/supervisor/lifecycle

# Networks in containers, with a daemon that answers, or as root with one that the tests start. Where it is missing,
# Debian's packages are unpacked into a temporary folder.
.PHONY: test-docker
test-docker: tools
	@DEVNET_TEST_DOCKER=1 vitest run --config test/vitest.config.ts --project docker

# An exported network by Docker Compose: COMPOSE names its program, as `docker-compose` or the path of the v2 plugin.
.PHONY: test-compose
test-compose: tools
	@test -n "$(COMPOSE)" || { echo "make test-compose COMPOSE=PATH: the program of Docker Compose"; exit 2; }
	@DEVNET_TEST_DOCKER=1 COMPOSE="$(COMPOSE)" vitest run --config test/vitest.config.ts --project docker docker/compose

# An exported network on a Docker Swarm of two daemons, which the test starts in network namespaces (root, dockerd,
# ssh): one of them leaves and comes back. An sshd that is missing comes from Debian.
.PHONY: test-swarm
test-swarm: tools
	@DEVNET_TEST_DOCKER=1 SWARM=1 vitest run --config test/vitest.config.ts --project docker docker/swarm

# Exported networks on the cluster of KUBECONFIG. IMPORT: a command that imports an image archive into its nodes, the
# path as its last word. KILL_NODE and START_NODE: commands that end a node and start it again, its name as the last
# word; without them no node is killed. STORAGE: a storage class (the cluster's default). KUBECTL: the program
# (kubectl). This machine must reach the cluster without KUBECTL, too, because the tests attach networks.
.PHONY: test-k8s
test-k8s: tools
	@test -n "$(IMPORT)" || { echo "make test-k8s IMPORT=COMMAND: imports an image archive into the nodes"; exit 2; }
	@IMPORT="$(IMPORT)" KILL_NODE="$(KILL_NODE)" START_NODE="$(START_NODE)" STORAGE="$(STORAGE)" \
	  KUBECTL="$(or $(KUBECTL),kubectl)" \
	  vitest run --config test/vitest.k8s.config.ts

# Kills of the supervisor while networks in containers start, run and end: KILLS, SEED.
.PHONY: soak-docker
soak-docker: tools
	@DEVNET_TEST_DOCKER=1 KILLS=$${KILLS:-50} vitest run --config test/vitest.config.ts --project docker docker/kills

# Real clients that the environment names, beside ours: DEVNET_INTEROP_OP_GETH and its kin, see docs/real-clients.md.
.PHONY: interop
interop: tools
	@vitest run --config test/vitest.config.ts --maxWorkers 1 --reporter verbose interop/

# One network as Prometheus and Chromium see it (Debian: prometheus, chromium).
.PHONY: test-dashboard
test-dashboard: tools
	@vitest run --config test/vitest.dashboard.config.ts

# `up` and `down` of the default network in containers, beside the same containers by `docker run`: ROUNDS (5).
.PHONY: bench-docker
bench-docker: tools
	@node --disable-warning=ExperimentalWarning test/bench/docker.ts

# The dashboard in Chromium on a young chain and on one of BLOCKS blocks (10,000): first view, processor, the page's
# heap.
.PHONY: bench-dashboard
bench-dashboard: tools
	@node --disable-warning=ExperimentalWarning test/bench/dashboard.ts

# The tutorial, each command as a user types it.
.PHONY: test-tutorial
test-tutorial: tools
	@vitest run --config test/vitest.tutorial.config.ts

lint: types style
	vitest run --config test/vitest.config.ts writing/

.PHONY: types
types: tools
	tsc --noEmit
	tsc --noEmit -p src/page

# Format and rules, dead code, the package as npm packs it: what `make test` does not check.
.PHONY: style
style: tools
	biome check
	knip
	publint --strict

# The package as npm packs it: a strict compiler accepts its declarations, and the examples and action.yml pass with it.
.PHONY: examples
examples: tools
	@SAMPLES=all vitest run --config test/vitest.config.ts e2e/package
	@vitest run --config test/vitest.examples.config.ts

bench: tools
	@node test/bench/bench.ts

# The package from its tarball: size, installation by npm, and starts from there: ROUNDS (5).
.PHONY: bench-start
bench-start: tools
	@node --disable-warning=ExperimentalWarning test/bench/start.ts

# Warps beside execution and derivation alone, and receipts with `clock: instant`. WARP_SLOTS: slots of each warp (300).
.PHONY: bench-warp
bench-warp: tools
	@node test/bench/warps.ts

# What verifiers cost: ready time, memory and processor time with 1, 5, 10, 20 and 40 of them, at 1-second blocks, and
# what each more costs. COUNTS, PEERS (mesh, ring, star, random:4), SECONDS of the measurement (30).
.PHONY: bench-scale
bench-scale: tools
	@node --disable-warning=ExperimentalWarning test/bench/scale.ts

# Memory of the default network when it is ready and after MINUTES (10) of 1-second blocks, beside its commands by hand.
.PHONY: bench-memory
bench-memory: tools
	@node --disable-warning=ExperimentalWarning test/bench/memory-growth.ts

soak-kills: tools
	@vitest run --config test/vitest.soak.config.ts soak/kills

# Starts, checks and teardowns while every processor is busy, and kills of programs that hold a network:
# STARTS (1000), LOAD (busy threads per processor), KILLS (20).
.PHONY: soak-starts
soak-starts: tools
	@vitest run --config test/vitest.soak.config.ts soak/starts

# Returns of a network to one snapshot, with two other blocks after each: REVERTS (200), LOAD (busy threads).
.PHONY: soak-reverts
soak-reverts: tools
	@vitest run --config test/vitest.soak.config.ts soak/reverts

# Seeded rounds of snapshots, warps, kills, reorganisations of L1, full disks and fork moves, each to agreement, with a
# deposit and an output that arrive: ROUNDS (30), SEED. Where no small disk can be mounted, a line says so.
.PHONY: soak-l1
soak-l1: tools
	@vitest run --config test/vitest.soak.config.ts soak/l1.test

# The sequencer's role goes from node to node under load: HANDOVERS (50). Each transaction that a node has accepted must
# be in a block of every node at the end.
.PHONY: soak-handover
soak-handover: tools
	@vitest run --config test/vitest.soak.config.ts soak/handover

# The leader of a set of sequencers is killed, frozen and cut off under load: KILLS (50), SEED. No block and no
# transaction that a node has told may be lost, and the times until another one sequences are printed.
.PHONY: soak-conductor
soak-conductor: tools
	@vitest run --config test/vitest.soak.config.ts soak/conductor

# The faults of devnets/scenarios/bad-weather.yaml for many rounds, each to agreement: ROUNDS (9), SEED.
.PHONY: soak-weather
soak-weather: tools
	@vitest run --config test/vitest.soak.config.ts soak/weather

soak-execution: tools
	@vitest run --config test/vitest.soak.config.ts soak/engine-durability

# Two rollups for 30 minutes while every processor is busy: nothing may be called late.
# MINUTES, LOAD (busy threads per processor).
.PHONY: soak-health
soak-health: tools
	@vitest run --config test/vitest.soak.config.ts soak/health

# Five seeded faults of links a second for a minute, to agreement (SECONDS_OF_FAULTS, SEED).
.PHONY: soak-faults
soak-faults: tools
	@vitest run --config test/vitest.soak.config.ts soak/link-faults

soak-gossip: tools
	@vitest run --config test/vitest.soak.config.ts soak/gossip-mesh

bench-gossip: tools
	@node test/bench/gossip/run.ts

soak-traces: tools
	@vitest run --config test/vitest.soak.config.ts soak/traces

# Blocks derived per second by a fresh verifier, beside the execution client alone; CPU of the idle devnet.
# BLOCKS, ROUNDS, PROFILES: see the file.
.PHONY: bench-derivation
bench-derivation: tools
	@node --disable-warning=ExperimentalWarning test/bench/derivation.ts

# Every fork with every batch type and DA kind: verifiers of both flavours derive from L1 what was sequenced.
.PHONY: matrix
matrix: tools
	@vitest run --config test/vitest.soak.config.ts soak/derivation-matrix

# Every scenario of devnets/scenarios; `make test` runs a part of them.
.PHONY: scenarios
scenarios: tools
	@SCENARIOS=all vitest run --config test/vitest.config.ts e2e/scenarios

# Every row of docs/wrong-answers.md; `make test` leaves out those of a time-out.
.PHONY: wrong-answers
wrong-answers: tools
	@ANSWERS=all vitest run --config test/vitest.config.ts e2e/wrong-answers

# 3,600 L2 blocks through 63 seeded faults of seven kinds, to agreement: BLOCKS, FAULTS, SEED.
.PHONY: soak-derivation
soak-derivation: tools
	@vitest run --config test/vitest.soak.config.ts soak/derivation.test

# Many generated L1 histories, each derived to the chain that a model of it says; HISTORIES: of each fork.
.PHONY: histories
histories: tools
	@HISTORIES=$${HISTORIES:-3000} vitest run --config test/vitest.config.ts protocol/derivation/histories

# 10,000 seeded transactions on our executor, the EVM library and anvil; SEED, COUNT, PLANT: see the file.
.PHONY: differential
differential: tools
	@node --disable-warning=ExperimentalWarning test/differential.ts

.PHONY: fuzz-engine
fuzz-engine: tools
	@vitest run --config test/vitest.soak.config.ts soak/engine-fuzz

# 1,000,000 mutated requests to each port of each flavour, each followed by a valid one.
# FUZZ_CASES, FUZZ_SEED, FUZZ_PORT (go-http, rust-websocket, …).
.PHONY: fuzz-rpc
fuzz-rpc: tools
	@vitest run --config test/vitest.soak.config.ts soak/rpc-fuzz

# Runs published material: DIR holds clones by name (execution-apis), and in any of them samples that are found by their
# file names. Consensus tests are found below folders named blockchain_tests… (execution-spec-tests, with the payloads
# of the Engine API too) and BlockchainTests (ethereum/tests). It prints its progress. Each suite ends with a line:
# passed, failed, not applicable and why. FILTER: a part of a path or of a case's name, * for any text. A run that ended
# early goes on at the next start (RESUME=0: it does not). WORKERS: processes (one per processor, at most 8).
vectors: tools
	@node --disable-warning=ExperimentalWarning test/vectors/run.ts

# Our executor beside the EVM library, imports and requests beside op-geth (OP_GETH: its path), two nodes on full
# blocks, a growing chain. ROUNDS, SECONDS, BLOCKS, PARTS: see the file.
.PHONY: bench-execution
bench-execution: tools
	@node --disable-warning=ExperimentalWarning --expose-gc test/bench/execution.ts

# Our EVM beside the EVM library: Mgas a second of loops. ROUNDS (7), MGAS (100).
.PHONY: bench-evm
bench-evm: tools
	@node --disable-warning=ExperimentalWarning test/bench/evm.ts

# Generated contracts on our EVM and on the EVM library, with the smallest program on a difference, and planted errors:
# COUNT (20000), SEED (1), PLANT=0.
.PHONY: fuzz-evm
fuzz-evm: tools
	@node --disable-warning=ExperimentalWarning test/evm-fuzz.ts

clean:
	rm -rf dist node_modules test/node_modules
