# The five things one does with heddle's sources. CMake does the work: see CMakePresets.json.

.DEFAULT_GOAL := help
.PHONY: help demo test bench soak format setup setup-soak release

help: ## print this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: setup ## find a bug in a small bank and replay it
	@tools/demo.sh

test: setup ## build with GCC, AddressSanitizer and Clang; run every test
	@tools/run_tests.sh

bench: release ## measure, print a table and write build/bench.json
	@cmake --build --preset release --target bench
	@tools/bench.py build

soak: setup-soak release ## run the long tests
	@tools/soak.sh

format: ## format every source file in place
	@tools/tidy.py --format

setup:
	@tools/setup.sh

setup-soak:
	@tools/setup.sh soak

release: setup
	@cmake --preset release > /dev/null
	@cmake --build --preset release
