# `make serve` and `make test` set up everything that they need; a second run finds it done.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8091
export PUBMETA_BIND ?= 127.0.0.1:$(PORT)
PUBLICATIONS ?= 300000

.PHONY: help serve test check chromium format bench sample pictures clean

help:  ## Say what can be done
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 10

$(BIN)/python:
	@echo "== Making a Python environment in $(VENV)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "pubmeta needs Python 3.11 or newer; say which with make PYTHON=…"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "Python cannot make environments here; on Debian: apt-get install python3-venv"; exit 1; }

$(VENV)/serve.done: requirements.txt | $(BIN)/python
	@echo "== Installing what pubmeta runs on"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/test.done: requirements.txt requirements-dev.txt | $(BIN)/python
	@echo "== Installing what the tests need"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@ $(VENV)/serve.done

serve: $(VENV)/serve.done  ## Serve at port 8091, with a store from the bundled sample where there is none
	@echo "== Preparing the database and the static files"
	@$(BIN)/python manage.py migrate --verbosity 0
	@$(BIN)/python manage.py collectstatic --noinput --verbosity 0
	@$(BIN)/python manage.py ensure_store sample/dblp-sample.xml.gz
	@echo "== Serving at http://$(PUBMETA_BIND)/ (Ctrl-C ends it)"
	@exec $(BIN)/python -m gunicorn

# Debian's own: the browsers that Playwright would download are not needed, and not to be had everywhere.
chromium:
	@command -v chromium > /dev/null || command -v google-chrome > /dev/null || { \
	    echo "== Installing Chromium, in which the pages are tried"; \
	    apt-get update -qq && apt-get install -qq --yes --no-install-recommends chromium > /dev/null; \
	} || { echo "the tests of the pages need Chromium; on Debian, as root: apt-get install chromium"; exit 1; }

test: $(VENV)/test.done chromium check  ## Check style and types, then run all tests
	@echo "== Running the tests"
	@$(BIN)/python -m pytest --numprocesses auto --dist loadfile --cov-fail-under=94

check: $(VENV)/test.done
	@echo "== Checking style, types and migrations"
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check . || { echo "some files are not formatted: make format"; exit 1; }
	@$(BIN)/mypy
	@PUBMETA_DATA_DIR=$(VENV)/check $(BIN)/python manage.py makemigrations --check --dry-run --verbosity 0

format: $(VENV)/test.done  ## Format the code
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

bench: $(VENV)/test.done  ## Measure a build and queries: make bench PUBLICATIONS=2000000
	@$(BIN)/python -m benchmarks.build --publications $(PUBLICATIONS)
	@$(BIN)/python -m benchmarks.queries --publications $(PUBLICATIONS)

sample: $(VENV)/test.done  ## Make the bundled sample anew
	@$(BIN)/python -m benchmarks.dump --publications 1980 --seed 2026 --traps sample/dblp-sample.xml.gz

pictures: $(VENV)/test.done chromium  ## Take the pictures of the README anew
	@$(BIN)/python -m benchmarks.pictures

clean:  ## Remove the environment; the data stays
	rm -rf $(VENV)
