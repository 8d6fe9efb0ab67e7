# Everyday recipes; `make` lists them. Paths are relative, so the clone can be in any folder.
.DEFAULT_GOAL := help
# Heavy builds run one after the other, and the tests of the package need it built.
.NOTPARALLEL:

WASM := --target wasm32-unknown-unknown
# cargo splits this at spaces: it must stay relative.
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER := target/tools/bin/wasm-bindgen-test-runner

BUILD_SERVER = cargo build --locked --features service --bin sales-order-intake-server
# Its tests have built it already, with other features of its dependencies: a build without these takes another minute.
test: BUILD_SERVER = cargo build --locked --features test-service --bin sales-order-intake-server --test service

.PHONY: help
help: ## list these recipes
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

.PHONY: demo
demo: page ## two orders from cart to receipt and request, sent to the reference service on loopback; an outage; and the demo page
	$(BUILD_SERVER)
	@node scripts/node.mjs 24 --no-warnings examples/outage.mjs
	@node examples/demo.mjs

.PHONY: shop
shop: shop-page ## a small tea shop, with the reference service beside it
	@node scripts/shop.mjs

.PHONY: shop-page
shop-page: build
	$(BUILD_SERVER)
	@node scripts/dependencies.mjs examples/shop
	npm run build --silent --prefix examples/shop -- --logLevel warn

.PHONY: test
test: system tools test-native test-wasm test-chromium test-service fuzz-service-briefly build check test-page test-node test-client test-quickly test-types test-contract test-schema test-testing test-recipes test-demo ## run every test except the long ones: soak, test-everywhere, test-miri

.PHONY: build
build: tools ## build the npm package into pkg/
	@node scripts/build.mjs

.PHONY: check
check: check-scripts check-notices check-words check-responses check-modules check-rust check-service check-types check-package ## lint Rust and TypeScript, check the built package

.PHONY: tools
tools: ## install the tools that a build needs and that are missing
	@node scripts/tools.mjs

.PHONY: system
system: # installs system packages only if some are missing
	@node scripts/system.mjs check || $(MAKE) --no-print-directory setup-system

.PHONY: setup-system
setup-system: ## install the system packages that the tests need: Chromium, PostgreSQL, PgBouncer, Python's venv, zsh, fish
	@node scripts/system.mjs install

.PHONY: setup-system-everywhere
setup-system-everywhere: ## install the browsers that test-everywhere needs
	@node scripts/system.mjs install everywhere

.PHONY: test-native
test-native: ## Rust tests on this machine
	cargo test --locked

.PHONY: test-miri
test-miri: ## the allocator under Miri; needs: rustup toolchain install nightly --component miri --component rust-src
	MIRIFLAGS=-Zmiri-strict-provenance cargo +nightly miri test --locked --lib wasm::allocator

.PHONY: test-wasm
test-wasm: tools ## Rust tests as WebAssembly in Node
	cargo test --locked --release $(WASM) --test wasm

.PHONY: test-chromium
test-chromium: tools ## Rust tests as WebAssembly in headless Chromium
	@node scripts/test-in-chromium.mjs

.PHONY: test-page
test-page: build ## the npm package in a page of headless Chromium
	node --test --test-reporter=spec $(wildcard tests/browser/*.test.mjs)

.PHONY: test-node
test-node: build ## tests of the packed npm package in Node, with the oracle
	node --test --test-concurrency=2 --test-reporter=spec $(wildcard tests/node/*.test.mjs) $(wildcard tests/oracle/*.test.mjs)

.PHONY: test-examples
test: test-examples
test-examples: build nodes ## every example of the documentation
	node scripts/node.mjs sqlite --test --test-reporter=spec $(wildcard tests/docs/examples*.test.mjs)

.PHONY: test-client
test-client: build ## the fetch client against servers on loopback that fail
	node --test --test-concurrency=2 --test-reporter=spec $(wildcard tests/client/*.test.mjs)

.PHONY: nodes
nodes: # before the tests, because several of them would install the same Node at once
	@node scripts/dependencies.mjs tests
	@for major in 20 22 24 26; do node scripts/node.mjs $$major --eval 0 || exit 1; done

# One restarts PostgreSQL; the other measures memory, of which a process has more on a busy machine.
OUTBOX_ALONE := tests/outbox/restart.test.mjs tests/outbox/waiting.test.mjs

.PHONY: test-outbox
test: test-outbox
test-outbox: build nodes ## the outbox, on SQLite and on a private PostgreSQL
	node scripts/with-postgres.mjs node scripts/node.mjs 24 --test --test-concurrency=3 --test-reporter=spec $(filter-out $(OUTBOX_ALONE),$(wildcard tests/outbox/*.test.mjs))
	RESTARTS=1 node scripts/with-postgres.mjs node scripts/node.mjs 24 --test --test-concurrency=1 --test-reporter=spec $(OUTBOX_ALONE)

.PHONY: test-matrix
test: test-matrix
test-matrix: build nodes ## what each response means: the client, the outbox on every store, and send
	node scripts/with-postgres.mjs node scripts/node.mjs 24 --test --test-concurrency=2 --test-reporter=spec $(wildcard tests/matrix/*.test.mjs)

.PHONY: response-table
response-table: ## write what each response means into docs/concepts/order-fates.md
	@node scripts/response-table.mjs --write

.PHONY: check-responses
check-responses: # fails if the table in docs/concepts/order-fates.md is not that of tests/matrix/kinds.mjs
	@node scripts/response-table.mjs

.PHONY: test-everywhere test-prisma
test-everywhere: test-prisma
test-prisma: build nodes ## the outbox in a transaction of Prisma, which is 300 MB to install
	node scripts/with-postgres.mjs node scripts/node.mjs 24 --test --test-reporter=spec $(wildcard tests/outbox/prisma/*.test.mjs)

.PHONY: test-cli
test: test-cli
test-cli: build nodes terminals ## the command line through npx in Node 20, 22 and 24, in a pseudo-terminal, and killed
	node --test --test-concurrency=2 --test-reporter=spec $(wildcard tests/cli/*.test.mjs)

.PHONY: terminals
terminals: # pseudo-terminals for the command line, built from their sources
	@node scripts/dependencies.mjs tests
	@test -e tests/node_modules/node-pty/build/Release/pty.node || npm rebuild --prefix tests node-pty

.PHONY: recordings
recordings: build nodes terminals ## write the recorded output of each command into docs/reference/cli.md
	@node scripts/cli-recordings.mjs --write

.PHONY: soak-outbox
soak: soak-outbox
soak-outbox: build nodes ## the outbox killed 100 times at each point, on both databases; 20,000 orders through three workers
	ROUNDS=100 node scripts/node.mjs 24 --test --test-reporter=spec tests/outbox/crash.test.mjs
	SOAK=1 node scripts/with-postgres.mjs node scripts/node.mjs 24 --test --test-reporter=spec tests/outbox/fairness.test.mjs
	ROUNDS=100 ORDERS=20000 node scripts/with-postgres.mjs node scripts/node.mjs 24 --test --test-reporter=spec tests/outbox/postgres-crash.test.mjs

.PHONY: test-quickly
test-quickly: build nodes ## the packed package in Node, Deno, Bun, workerd, Chromium, esbuild and Vite
	EVERYWHERE=quick node --test --test-reporter=spec tests/everywhere/everywhere.test.mjs

.PHONY: test-everywhere
test-everywhere: build nodes test-reproducible ## the packed package in every runtime and bundler; writes the table of the documentation
	@node scripts/system.mjs check everywhere || $(MAKE) --no-print-directory setup-system-everywhere
	node --test --test-reporter=spec tests/everywhere/everywhere.test.mjs

.PHONY: test-reproducible
test-reproducible: build ## check that a second build, in another folder, gives the same bytes
	@node scripts/reproduce.mjs

.PHONY: test-schema
test-schema: build ## Standard Schema in the libraries that take it, JSON Schemas against the vectors
	node --test --test-reporter=spec $(wildcard tests/schema/*.test.mjs)

.PHONY: test-types
test-types: build ## the built types in users' programs, with the newest TypeScript
	node --test --test-concurrency=2 --test-reporter=spec $(wildcard tests/types/*.test.mjs)

.PHONY: test-everywhere test-types-everywhere
test-everywhere: test-types-everywhere
test-types-everywhere: build ## the same with the TypeScript before it too
	TYPESCRIPT=all node --test --test-reporter=spec $(wildcard tests/types/*.test.mjs)

.PHONY: test-contract
test-contract: build ## every function, member and promise of the public contract
	node --test --test-reporter=spec $(wildcard tests/contract/*.test.mjs)

.PHONY: test-recipes
test-recipes: build ## createEvaluator in React, Vue, Svelte, Solid, signals and Immer
	node_modules/.bin/tsc -p examples/recipes
	node --conditions=browser --test --test-reporter=spec $(wildcard tests/recipes/*.test.mjs)

.PHONY: test-shop
test: test-shop
test-shop: shop-page ## the shop in headless Chromium, up to the till; once on a private PostgreSQL
	node scripts/with-postgres.mjs node --test --test-concurrency=2 --test-reporter=spec $(wildcard tests/shop/*.test.mjs)

.PHONY: screenshots-shop
screenshots: screenshots-shop
screenshots-shop: shop-page ## every state of the shop, into target/screenshots/shop
	node tests/shop/screenshots.mjs

.PHONY: test-testing
test-testing: build nodes ## the test service and the reference service respond alike
	$(BUILD_SERVER)
	node scripts/node.mjs sqlite --test --test-reporter=spec $(wildcard tests/testing/*.test.mjs)

.PHONY: soak
soak: build ## 10,000 orders against a service that fails three attempts in ten
	node tests/client/soak.mjs

.PHONY: soak-evaluator
soak: soak-evaluator
soak-evaluator: build ## 10,000 edits of an order, each evaluation equal to a fresh one
	EDITS=2000 node --test --test-reporter=spec tests/contract/evaluator.test.mjs
.PHONY: soak-lane
soak: soak-lane
soak-lane: build ## 1,000,000 random orders through the fast lane and without it
	LANE_ORDERS=1000000 node --test --test-reporter=spec tests/node/plain.test.mjs

.PHONY: test-oracle
test-oracle: build ## random orders against an independent calculation
	node --test --test-reporter=spec $(wildcard tests/oracle/*.test.mjs)

.PHONY: check-scripts
check-scripts: tools ## format and lint TypeScript, JavaScript, CSS and JSON; `make format` writes the format
	node_modules/.bin/biome check --error-on-warnings .

.PHONY: format
format: tools ## format every file
	cargo fmt
	node_modules/.bin/biome format --write .

.PHONY: generate
generate: ## generate the TypeScript types of orders and issue codes from the Rust tables
	GENERATE=1 cargo test --locked --lib schema::tests

.PHONY: check-notices
check-notices: ## compare the notices of the crates in the module with Cargo.lock
	@node scripts/notices.mjs

.PHONY: notices
notices: ## write the notices of the crates in the module
	@node scripts/notices.mjs --write

.PHONY: check-rust
check-rust: ## rustfmt and clippy, for this machine and for WebAssembly
	cargo fmt --check
	cargo clippy --locked --all-targets -- -D warnings
	cargo clippy --locked --all-targets $(WASM) --features wasm -- -D warnings

.PHONY: check-modules
check-modules: ## find circular dependencies between modules of the crate, and Rust files over 300 lines
	@node scripts/check-modules.mjs

.PHONY: check-words
check-words: ## find words that this project does not use, and docs of Rust functions that do not begin with a verb
	node --test --test-reporter=spec $(wildcard tests/checks/*.test.mjs)
	@node scripts/check-words.mjs

.PHONY: check-types
check-types: build ## TypeScript of the package; JavaScript of scripts, tests and benches by its JSDoc
	node_modules/.bin/tsc -p pkg-template --noEmit
	node_modules/.bin/tsc -p www/client --noEmit
	node_modules/.bin/tsc -p www/testing --noEmit
	node_modules/.bin/tsc -p .
	node_modules/.bin/tsc -p www/outbox --noEmit
	node_modules/.bin/tsc -p www/cli

.PHONY: check-package
check-package: build ## publint and attw on the package as it would be published
	node scripts/pack.mjs
	node_modules/.bin/publint run target/packed/sales-order-intake.tgz --strict
	node_modules/.bin/attw target/packed/sales-order-intake.tgz --profile node16
	@node scripts/sizes.mjs

.PHONY: serve
serve: ## the reference service with a demo company and a token, on loopback
	cargo run --locked --features service -- serve --demo

.PHONY: test-service
test-service: ## the reference service over HTTP, on SQLite and on a private PostgreSQL
	cargo test --locked --features test-service --lib --test service
	cargo test --locked --features test-service --doc
	node scripts/with-postgres.mjs cargo test --locked --features test-service --test service

.PHONY: check-service
check-service: ## clippy with the reference service, and the documentation of the crate without warnings
	cargo clippy --locked --all-targets --features test-service -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --features service

.PHONY: soak-service
soak: soak-service
soak-service: ## the reference service killed 100 times under load, on both databases
	KILLS=100 cargo test --locked --features test-service --test service crash
	KILLS=100 node scripts/with-postgres.mjs cargo test --locked --features test-service --test service crash

.PHONY: fuzz-service
fuzz-service: ## schemathesis against the OpenAPI document of the reference service
	$(BUILD_SERVER)
	node scripts/schemathesis.mjs

.PHONY: fuzz-service-briefly
fuzz-service-briefly: ## the same for half a minute, if Python is installed
	$(BUILD_SERVER)
	node scripts/schemathesis.mjs 25 --where-possible

.PHONY: load
load: ## durable orders per second: SQLite, PostgreSQL, and a peer in Fastify
	cargo build --locked --release --features test-service --bin sales-order-intake-server --example load
	node scripts/with-postgres.mjs node scripts/load.mjs

.PHONY: test-peers
test: test-peers
test-peers: build ## the peers of the benchmark do the same job as this package
	node --test --test-reporter=spec $(wildcard tests/benches/*.test.mjs)

.PHONY: bench
bench: test-peers ## this package beside what people would use instead; writes the table and the bars of the documentation
	@node scripts/dependencies.mjs docs
	node benches/bench.mjs; status=$$?; node docs/generate/diagrams.mjs && exit $$status

.PHONY: page
page: build ## build the demo page into www/demo/dist, and check its size
	node_modules/.bin/tsc -p www/demo
	node_modules/.bin/vite build www/demo --logLevel warn
	@node scripts/page-size.mjs

.PHONY: test-demo
test-demo: page ## the demo page in headless Chromium, on the reference service
	node_modules/.bin/tsc -p tests/demo
	$(BUILD_SERVER)
	node_modules/.bin/playwright test -c tests/demo

.PHONY: screenshots
screenshots: page ## every state of the demo page, into target/screenshots; and the pictures of the README
	$(BUILD_SERVER)
	node_modules/.bin/playwright test -c tests/demo/screenshots.config.ts

.PHONY: docs
docs: page ## build the documentation site into docs/.vitepress/dist
	@node scripts/dependencies.mjs docs
	node docs/generate/main.mjs
	docs/node_modules/.bin/vitepress build docs

.PHONY: test-docs
test: test-docs
test-docs: docs ## the documentation site: links, accessibility, size, search, playground, pictures
	docs/node_modules/.bin/tsc -p docs
	node --test --test-concurrency=2 --test-reporter=spec $(filter-out tests/docs/examples%,$(wildcard tests/docs/*.test.mjs))

.PHONY: screenshots-docs
screenshots-docs: docs ## pages of the documentation site, into target/screenshots/docs
	@node tests/docs/screenshots.mjs

.PHONY: check-spelling
check: check-spelling
check-spelling: ## the spelling of documentation, comments and messages
	@node scripts/dependencies.mjs docs
	docs/node_modules/.bin/cspell lint --config docs/cspell.json --no-progress --no-summary

.PHONY: diagrams
diagrams: ## render the diagrams of the documentation: docs/diagrams/*.dot and the bars of the benchmark
	@node scripts/dependencies.mjs docs
	node docs/generate/diagrams.mjs

.PHONY: docs-serve
docs-serve: docs ## serve the documentation site on loopback
	@node docs/serve.mjs

.PHONY: clean
clean: ## remove what was built, but not the tools
	rm -rf pkg www/demo/dist docs/.vitepress/dist target/pkg-stage-* target/pkg.stamp target/packed target/installed
	cargo clean --profile wasm $(WASM)
