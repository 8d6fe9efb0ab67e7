# Everyday recipes; `make` lists them. Paths are relative, so the clone may stand anywhere.
.DEFAULT_GOAL := help
# Two heavy builds at once help nobody, and the tests of the package need it built.
.NOTPARALLEL:

WASM := --target wasm32-unknown-unknown
# cargo splits this at spaces: it must stay relative.
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER := target/tools/bin/wasm-bindgen-test-runner

.PHONY: help
help: ## list these recipes
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

.PHONY: demo
demo: build ## two orders from cart to receipt and request, sent to the reference service on loopback
	cargo build --locked --features service --bin sales-order-intake
	@node examples/demo.mjs

.PHONY: test
test: tools test-native test-wasm test-chromium test-service fuzz-service-briefly build check test-page test-node test-client ## run every test

.PHONY: build
build: tools ## build the npm package into pkg/
	@node scripts/build.mjs

.PHONY: check
check: check-rust check-service check-types check-package ## lint Rust and TypeScript, check the built package

.PHONY: tools
tools: ## install what building needs, where it is missing
	@node scripts/tools.mjs

.PHONY: test-native
test-native: ## Rust tests on this machine
	cargo test --locked

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
	node --test --test-reporter=spec $(wildcard tests/node/*.test.mjs) $(wildcard tests/oracle/*.test.mjs)

.PHONY: test-client
test-client: build ## the fetch client against servers on loopback that fail
	node --test --test-reporter=spec $(wildcard tests/client/*.test.mjs)

.PHONY: soak
soak: build ## 10,000 orders against a service that fails three attempts in ten
	node tests/client/soak.mjs

.PHONY: test-oracle
test-oracle: build ## random orders against an independent calculation
	node --test --test-reporter=spec $(wildcard tests/oracle/*.test.mjs)

.PHONY: check-rust
check-rust: ## rustfmt and clippy, for this machine and for WebAssembly
	cargo fmt --check
	cargo clippy --locked --all-targets -- -D warnings
	cargo clippy --locked --all-targets $(WASM) -- -D warnings

.PHONY: check-types
check-types: tools ## TypeScript of the package
	node_modules/.bin/tsc -p pkg-template --noEmit
	node_modules/.bin/tsc -p www/client --noEmit

.PHONY: check-package
check-package: build ## publint and attw on the package as it would be published
	node scripts/pack.mjs
	node_modules/.bin/publint run target/packed/sales-order-intake.tgz --strict
	node_modules/.bin/attw target/packed/sales-order-intake.tgz --profile node16 --exclude-entrypoints ./core.wasm

.PHONY: serve
serve: ## the reference service with a demo company and a token, on loopback
	cargo run --locked --features service -- serve --demo

.PHONY: test-service
test-service: ## the reference service over HTTP, on SQLite and on a private PostgreSQL
	cargo test --locked --features test-service --lib --test service
	node scripts/with-postgres.mjs cargo test --locked --features test-service --test service

.PHONY: check-service
check-service: ## clippy with the reference service
	cargo clippy --locked --all-targets --features test-service -- -D warnings

.PHONY: soak-service
soak: soak-service
soak-service: ## the reference service killed 100 times under load, on both databases
	KILLS=100 cargo test --locked --features test-service --test service crash
	KILLS=100 node scripts/with-postgres.mjs cargo test --locked --features test-service --test service crash

.PHONY: fuzz-service
fuzz-service: ## schemathesis against the OpenAPI document of the reference service
	cargo build --locked --features service --bin sales-order-intake
	node scripts/schemathesis.mjs

.PHONY: fuzz-service-briefly
fuzz-service-briefly: ## the same for half a minute, where Python can run it
	cargo build --locked --features service --bin sales-order-intake
	node scripts/schemathesis.mjs 25 --where-possible

.PHONY: load
load: ## durable orders a second: SQLite, PostgreSQL, and a peer in Fastify
	cargo build --locked --release --features test-service --bin sales-order-intake --example load
	node scripts/with-postgres.mjs node scripts/load.mjs

.PHONY: clean
clean: ## remove what was built, but not the tools
	rm -rf pkg target/pkg-stage-* target/pkg.stamp target/packed target/installed
	cargo clean --profile wasm $(WASM)
