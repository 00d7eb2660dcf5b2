# Two commands do all set-up: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT ?= out

.PHONY: demo test lint bench amd clean

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

demo: $(VENV)/.installed
	$(BIN)/hipport port examples -o $(OUT)/demo --target gfx942,gfx950 --rocm 7.2 || test $$? -eq 1
	HIPPORT_TOOLCHAIN=$${HIPPORT_TOOLCHAIN:-$(CURDIR)/.cache/amd} $(BIN)/hipport verify examples/warp_scan --target gfx950 \
		|| test $$? -eq 5 # 5: no compiler for AMD GPUs here; `make amd` brings one

lint: $(VENV)/.installed
	$(BIN)/ruff check hipport tests
	$(BIN)/ruff format --check hipport tests
	$(BIN)/mypy

# The tests bring what else they need: tests/install.py says what, and why where something cannot be had.
test: lint
	$(BIN)/python tests/install.py
	$(BIN)/python -m pytest -n 2 --dist worksteal

amd: $(VENV)/.installed
	$(BIN)/python tests/install.py amd

bench: $(VENV)/.installed
	$(BIN)/python -m tests.bench

clean:
	rm -rf $(VENV) .cache $(OUT) build dist
