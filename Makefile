# `make help` lists what can be made; everything installs what it needs into .venv first.
PYTHON ?= python3
BIN := .venv/bin
# What pytest makes of the tests is half of what collecting them costs: let it be written down.
PYTEST := env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest
STAMP := .venv/.installed
# What `octavo[standard]` brings: the image has it, and every test.
STANDARD := $(patsubst %,requirements/%.in,runtime pdf insights saml scim postgres)

.PHONY: help install dev run test check lint types imports docs audit bill schema openapi web web-test web-check bench bench-web lighthouse screenshots mutants clickhouse deep lock packages clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

install: $(STAMP) ## Make .venv with .venv/bin/octavo
	@# Processes that Octavo starts would compile it anew each time where nobody writes bytecode down.
	@$(BIN)/python -m compileall -q src

$(STAMP): requirements/runtime.lock requirements/dev.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/runtime.lock -r requirements/dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $(STAMP)

run: install ## Publish Octavo's own documentation and serve it on http://localhost:8000
	$(BIN)/octavo preview docs --data data --title "Octavo documentation"

test: install ## Run the whole test suite
	$(PYTEST) -n auto --dist worksteal

check: lint types imports docs audit ## Lint, types, import contracts, generated documentation, known weaknesses

lint: install
	$(BIN)/ruff check src tests bench tools
	$(BIN)/ruff format --check src tests bench tools

types: install
	$(BIN)/mypy

imports: install
	$(BIN)/lint-imports

docs: install
	$(BIN)/python tools/docs.py --check
	$(BIN)/python tools/schema.py --check
	$(BIN)/python tools/openapi.py --check
	$(BIN)/python tools/web.py --check
	$(BIN)/python tools/bill.py --check

audit: install ## Ask for known weaknesses of the locked libraries
	$(BIN)/python tools/audit.py

schema: install ## Write the newest schema as SQL, from the tables of store/schema
	$(BIN)/python tools/schema.py

bill: install ## Write the bill of materials that lies in the wheel
	$(BIN)/python tools/bill.py

openapi: install ## Write the description of the API, from its rows and shapes
	$(BIN)/python tools/openapi.py

web: install ## Build the application of web/ into src/octavo/app/static (needs npm)
	$(BIN)/python tools/web.py

web-test: install ## Test parts and editor of the application (left out without npm)
	$(BIN)/python tools/web.py --test

web-check: install ## Build the application again, and compare with what is committed (left out without npm)
	$(BIN)/python tools/web.py --rebuild

bench: install ## Measure against the floors and write bench/RESULTS.md
	$(BIN)/python -m bench

bench-web: install ## Measure the application in a slowed Chromium and write bench/WEB.md (needs chromium)
	$(BIN)/python -m bench.web

lighthouse: install ## Score pages with Lighthouse into bench/LIGHTHOUSE.md (needs npm and chromium; no part of test)
	$(BIN)/python tools/lighthouse.py

screenshots: install ## Photograph pages for the README and the guides (needs chromium)
	$(BIN)/python tools/screenshots.py

mutants: install ## Change what decides most in a sample of places, and see that a test notices
	nice $(BIN)/python tools/mutants.py

clickhouse: install ## ClickHouse's engine as a library, on which the tests of insights run too (half a gigabyte)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/clickhouse.lock

deep: clickhouse mutants ## Long profiles: many examples, many kills, both databases for all tests, mutants
	OCTAVO_TEST_PROFILE=deep $(PYTEST) -n auto --dist worksteal

# Extras stay in the locks: pip asks the index anew for `name[extra]` where only `name` is pinned, and a newer release is refused.
lock: COMPILE := $(BIN)/uv pip compile --quiet --upgrade --no-strip-extras --generate-hashes --no-emit-index-url
lock: ## Pin the newest versions that fit, with hashes
	$(BIN)/python -m pip install --quiet uv
	$(COMPILE) --universal -p 3.11 $(STANDARD) -o requirements/runtime.lock
	$(COMPILE) --universal -p 3.11 requirements/dev.in -o requirements/dev.lock
	$(COMPILE) --universal -p 3.11 requirements/audit.in -o requirements/audit.lock
	$(COMPILE) --no-deps --universal -p 3.11 requirements/clickhouse.in -o requirements/clickhouse.lock

packages: install ## Build wheel and sdist into dist/
	$(BIN)/python -c "from setuptools import build_meta as b; b.build_sdist('dist'); b.build_wheel('dist')"

clean: ## Remove what was made, but not data
	rm -rf .venv build src/*.egg-info .mypy_cache .ruff_cache .pytest_cache
