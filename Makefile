# `make demo` and `make test` are all that a new user needs: both first install what is missing (.ci/setup.sh).
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup demo test sanitize fuzz lint lint-only format programs-all projects bench clean

BIN := .venv/bin
PYTHON_FOLDERS := enzyme_build tests benchmarks examples fortran_examples

help: ## Show this list.
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 20

setup: ## Install what is missing: system packages (as root), .venv, this package as a wheel.
	@.ci/setup.sh test

demo: ## C++ in, a NumPy extension with its gradient out, explained step by step.
	@.ci/setup.sh demo
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/enzyme-build demo

test: setup ## Lint and all tests, against the installed wheel.
	@.ci/test.sh

sanitize: ## The test programs under the address sanitizer and against plain builds, and their derivatives under valgrind.
	@.ci/setup.sh sanitize
	@$(BIN)/python tests/support/run_programs.py --primal
	@$(BIN)/python tests/support/run_programs.py --values
	@$(BIN)/python tests/support/run_programs.py --valgrind -O2

FUZZ ?= --count 2000 --seed $(shell date +%Y%m%d)000
fuzz: setup ## A night's run of random functions, in C, in C++, in Fortran, in Rust, in LLVM's language, with random requests and with words that are numbers at times; FUZZ="--count 100 --seed 7" for other ones.
	@$(BIN)/python tests/fuzz/run.py --jobs "$$(nproc)" $(FUZZ)
	@$(BIN)/python tests/fuzz/run.py --jobs "$$(nproc)" --cxx $(FUZZ)
	@$(BIN)/python tests/fuzz/run.py --jobs "$$(nproc)" --fortran $(FUZZ)
	@$(BIN)/python tests/fuzz/run.py --jobs "$$(nproc)" --rust $(FUZZ)
	@$(BIN)/python tests/fuzz/run.py --jobs "$$(nproc)" --ir $(FUZZ)
	@$(BIN)/python tests/fuzz/run.py --jobs "$$(nproc)" --requests $(FUZZ)
	@$(BIN)/python tests/fuzz/run.py --jobs "$$(nproc)" --words $(FUZZ)

lint: setup ## Linter, formatter, types and layers.
	@$(MAKE) --no-print-directory lint-only

lint-only:
	@status=0; \
	for check in "ruff check --quiet --output-format concise ." "ruff format --check --output-format concise ." "mypy" "lint-imports --no-logo"; do \
	    echo "--- $$check"; $(BIN)/$$check || status=1; \
	done; exit $$status

format: setup ## Let the formatter and the linter's safe fixes change the sources.
	@$(BIN)/ruff check --fix-only . && $(BIN)/ruff format .

programs-all: setup ## All programs of tests/programs at -O0 to -O3, and without inlining.
	@cd .venv/run && ../bin/python ../../tests/support/run_programs.py --all -j "$$(nproc)"

PROJECTS ?= --all --compare
projects: setup ## Existing projects from Debian: built, tested and differentiated; PROJECTS="-k minpack" for one.
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python tests/projects/run.py $(PROJECTS)

bench: setup ## Time and memory of gradients against their primals, and of other tools where they are installed.
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python benchmarks/run.py --rivals

clean: ## Remove everything that was made here.
	rm -rf .venv .venv.apt.log build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find $(PYTHON_FOLDERS) -name __pycache__ -prune -exec rm -rf {} +
