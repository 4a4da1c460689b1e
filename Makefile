# Only Python 3.11+, git and make are needed; tools.dev fetches the rest into .venv and .tools.
PYTHON ?= python3
DEV := $(PYTHON) -m tools.dev

.DEFAULT_GOAL := help
.PHONY: help setup play test bench faults docs screenshots lock clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo 'Pass arguments in ARGS: make play ARGS="--port 9000", make test ARGS="-k K4"'

setup: ## install everything into .venv, including .venv/bin/registan
	@$(DEV) setup $(ARGS)

play: ## open the house: play in the browser, with friends and bots
	@$(DEV) play $(ARGS)

test: ## every check: lint, types, tests, browser, services
	@$(DEV) test $(ARGS)

bench: ## measure speed, also of OpenSpiel
	@$(DEV) bench $(ARGS)

faults: ## kill and cut a house at random under load for half an hour (ARGS="--minutes 5")
	@$(DEV) faults $(ARGS)

docs: ## build the documentation site: build/site/html/index.html
	@$(DEV) docs $(ARGS)

screenshots: ## retake the pictures of the README; every state on build/contact-sheet/index.html
	@$(DEV) screenshots $(ARGS)

lock: ## pin the requirements (ARGS=--upgrade for newer versions)
	@$(DEV) lock $(ARGS)

clean: ## remove everything that these commands have made
	rm -rf .venv .tools build dist web/dist web/generated web/node_modules .coverage* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests tools bench -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true
