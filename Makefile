# Everyday recipes; `make` lists them. Paths are relative, so the clone can be in any folder. tests/parts.json lists the tests.
.DEFAULT_GOAL := help
# Heavy builds run one after the other.
.NOTPARALLEL:

BUILD_SERVER = cargo build --locked --package sales-order-intake-server
RUN_TESTS = @node tests/runner/run.mjs

.PHONY: help
help: ## list these recipes
	@awk -F ':.*## ' '/^##@/ { print "\n" substr($$0, 5) } /^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

##@ Try it

.PHONY: demo
demo: page ## two orders from cart to receipt and request, sent to the reference service on loopback; an outage; the demo page and the page for operators
	@node scripts/node.mjs sqlite --no-warnings examples/outage.mjs
	@node scripts/node.mjs sqlite --no-warnings examples/demo.mjs

.PHONY: shop
shop: build-shop ## a small tea shop, with the reference service beside it
	@node examples/shop.mjs

.PHONY: build-shop
build-shop: build
	@node scripts/dependencies.mjs examples/shop
	npm run build --silent --prefix examples/shop

.PHONY: serve
serve: ## the reference service with a demo company and a token, on loopback
	cargo run --locked --package sales-order-intake-server -- serve --demo

.PHONY: docs-serve
docs-serve: docs ## the documentation site, on loopback
	docs/node_modules/.bin/vitepress preview docs --port $${PORT:-4173}

##@ Change it

.PHONY: build
build: ## build the npm package into pkg/
	@node scripts/build/build.mjs

.PHONY: test
test: ## the tests that need nothing but Rust and Node; ONLY=client, or a file of tests, runs a part of any tests
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

##@ Measure it

.PHONY: bench
bench: page ## this package beside what people would use instead; writes what the documentation says of it
	@node scripts/dependencies.mjs docs tests
	@ONLY=benches node tests/runner/run.mjs
	$(BUILD_SERVER)
	node benches/bench.mjs; status=$$?; node docs/generate/diagrams.mjs && node docs/generate/marked.mjs --write && exit $$status
