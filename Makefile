# Everyday recipes; `make` lists them. Paths are relative, so the clone can be in any folder. tests/parts.mjs lists the tests.
.DEFAULT_GOAL := help
# Heavy builds run one after the other.
.NOTPARALLEL:

BUILD_SERVER = cargo build --locked --package sales-order-intake-server
RUN_TESTS = @node tests/runner/main.mjs

.PHONY: help
help: ## list these recipes
	@awk -F ':.*## ' '/^##@/ { print "\n" substr($$0, 5) } /^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

##@ Try it

.PHONY: demo
demo: page ## two orders from cart to receipt and request, sent to the reference service on loopback; an outage; the demo page and the page for operators
	@node scripts/node.mjs sqlite --no-warnings examples/outage.mjs
	@node scripts/node.mjs sqlite --no-warnings examples/demo.mjs

.PHONY: shop
shop: shop-page ## a small tea shop, with the reference service beside it
	@node examples/shop.mjs

.PHONY: shop-page
shop-page: build
	@node scripts/dependencies.mjs examples/shop
	npm run build --silent --prefix examples/shop

.PHONY: serve
serve: ## the reference service with a demo company and a token, on loopback
	cargo run --locked --package sales-order-intake-server -- serve --demo

.PHONY: docs-serve
docs-serve: docs ## the documentation site, on loopback
	@node docs/serve.mjs

##@ Change it

.PHONY: build
build: ## build the npm package into pkg/
	@node scripts/build/build.mjs

.PHONY: test
test: ## the tests that need nothing but Rust and Node; ONLY=client, or a path, runs a part of any tests
	$(RUN_TESTS) test

.PHONY: check
check: ## format, lints, types and sizes: the first parts of make test
	$(RUN_TESTS) check

.PHONY: format
format: ## format every file
	@node scripts/dependencies.mjs .
	cargo fmt --all
	node_modules/.bin/biome format --write .

.PHONY: generate
generate: ## write what is generated: types, tables and OpenAPI from the Rust tables, notices, and what the pages quote
	cargo run --locked --package xtask -- generate
	@node scripts/dependencies.mjs .
	node_modules/.bin/biome format --write service/rules/src/openapi.json
	@node scripts/check/notices.mjs --write
	@node docs/generate/marked.mjs --write

.PHONY: new-rule
new-rule: ## begin a rule: NAME=delivery_without_time, SEVERITY=warning, MEMBER=/TimeSlotDisplayString
	@node scripts/new-rule.mjs

.PHONY: page
page: build ## build the demo page into www/demo/dist, and check its size
	node node_modules/typescript/bin/tsc -p www/demo
	node_modules/.bin/vite build www/demo --logLevel warn
	@node scripts/check/page-size.mjs

.PHONY: docs
docs: page ## build the documentation site into docs/.vitepress/dist
	@node scripts/dependencies.mjs docs
	node docs/generate/main.mjs
	docs/node_modules/.bin/vitepress build docs

.PHONY: clean
clean: ## remove what was built, but nothing that was installed
	rm -rf pkg wasm/glue www/demo/dist docs/.vitepress/dist target/core target/pkg-stage-* target/pkg.stamp target/packed target/installed
	cargo clean

##@ Test all of it

.PHONY: setup
setup: ## install the system packages that test-all needs (GROUP=nightly: those of nightly)
	@node scripts/system.mjs install $(GROUP)

.PHONY: test-all
test-all: test ## and those that need browsers, databases, other runtimes and the reference service
	$(RUN_TESTS) all

.PHONY: nightly
nightly: ## the long tests: soaks, every environment, many random cases, a busy machine
	$(RUN_TESTS) nightly

.PHONY: soak
soak: ## an outbox and a relay whose connections fall silent while their processes are killed; SECONDS=600 says how long
	@SECONDS=$${SECONDS:-60} ONLY=tests/soak/silence.test.mjs node tests/runner/main.mjs nightly

.PHONY: test-under-load
test-under-load: ## the tests that wait for something, beside two busy loops for each core
	@node tests/runner/under-load.mjs

.PHONY: reproduce
reproduce: build ## check that a second build, in another folder, gives the same bytes
	@node scripts/build/reproduce.mjs

##@ Measure and show it

.PHONY: bench
bench: page ## this package beside what people would use instead; writes what the documentation says of it
	@node scripts/dependencies.mjs docs tests
	@ONLY=benches node tests/runner/main.mjs all
	$(BUILD_SERVER)
	node_modules/.bin/playwright test --config tests/demo/bench.config.ts
	node benches/bench.mjs; status=$$?; node docs/generate/diagrams.mjs && node docs/generate/marked.mjs --write && exit $$status

.PHONY: load
load: ## durable orders per second of the reference service: SQLite, PostgreSQL, and a peer in Fastify
	cargo build --locked --release --package sales-order-intake-server --features test-service --bins --examples
	node scripts/with-postgres.mjs node benches/load.mjs

.PHONY: pictures
pictures: docs shop-page ## screenshots into target/screenshots, the pictures of the README and of the operators' guide, the diagrams, what the commands print
	$(BUILD_SERVER)
	node_modules/.bin/playwright test --config tests/demo/screenshots.config.ts
	node tests/shop/screenshots.mjs
	node tests/docs/screenshots.mjs
	node scripts/node.mjs sqlite tests/outbox/operators-pictures.mjs
	node docs/generate/diagrams.mjs
	@node scripts/dependencies.mjs tests
	@node tests/cli/terminal/install.mjs
	@node scripts/node.mjs 24 tests/cli/terminal/recordings.mjs --write
