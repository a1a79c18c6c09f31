# Two commands are all that a newcomer needs: `make demo` and `make test`. Both first
# install what is missing: .venv, and valgrind through apt-get.
MAKEFLAGS += --no-print-directory
SHELL = /bin/bash
bin = .venv/bin
python = $(bin)/python

.NOTPARALLEL:
.PHONY: help demo test lint unit real coverage check-self format bench clean ready tools

help:
	@echo 'make demo        run the gate on a small C program whose last commit is slower'
	@echo 'make test        all checks: ruff, mypy, import contracts, workflows, tests'
	@echo 'make coverage    the tests again, and which lines none of them runs (20 minutes)'
	@echo 'make check-self  countci on countci: counts of this branch against its merge base'
	@echo 'make format      format the code, and mend what the linter can mend'
	@echo 'make bench       run the benchmarks (minutes)'
	@echo 'make clean       remove .venv and everything that was made'

demo: ready
	@demo/run.sh

test: lint unit real

# Apart, because to look on costs a fifth of the time.
coverage: ready
	@$(bin)/coverage erase
	@$(MAKE) unit real python='$(bin)/coverage run'
	@$(bin)/coverage combine --quiet
	$(bin)/coverage report

lint: ready
	$(bin)/ruff check --quiet
	$(bin)/ruff format --check --quiet
	$(bin)/mypy
	$(bin)/lint-imports --no-cache --no-logo
	@scripts/lint-workflows.sh

unit: ready
	$(python) -m pytest -q -m 'not slow' -n 2

# A file at a time on each core: what many of them wait for is one process. The longest files
# come first (tests/real/conftest.py), which loadscope's own order would undo.
real: ready unit
	$(python) -m pytest -q -m slow -n 2 --dist loadfile --no-loadscope-reorder

# The environment of each side is made with the uv of ours.
check-self: ready
	PATH="$(CURDIR)/$(bin):$$PATH" countci compare --no-time

format: ready
	$(bin)/ruff check --fix
	$(bin)/ruff format

bench: ready
	@for file in benchmarks/*.py; do echo "== $$file"; $(bin)/python "$$file" || exit 1; done

clean:
	rm -rf .venv build dist .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

ready: .venv/ready tools

tools:
	@scripts/tools.sh

.venv/ready: pyproject.toml scripts/environment.sh
	@scripts/environment.sh
	@touch $@
