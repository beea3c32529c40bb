# Everything runs in .venv, which the first command makes and fills; but for test-mujoco-3, and in
# .venv-kilted with ROS=kilted, in .venv-none with ROS=none.

PYTHON ?= python3
ROS ?= jazzy
STEPS ?= -1
ARGS ?=
SINCE ?= HEAD
MUTANTS ?= 100
COMPARE ?=
TAG ?=
# The tests wait for other processes most of their time.
JOBS ?= 4

OTHER_ROS := $(if $(filter jazzy,$(ROS)),kilted,jazzy)
VENV := .venv$(if $(filter-out jazzy,$(ROS)),-$(ROS))
BIN := $(VENV)/bin
# The oldest MuJoCo that is supported, in an environment of its own.
VENV_3 := .venv-mujoco-3
MUJOCO_3 := mujoco==3.17.*
INDEX := $(VENV)/share/ament_index/resource_index/packages
INTERFACES := $(wildcard interfaces/*/package.xml $(foreach kind,msg srv action,interfaces/*/*/*.$(kind) interfaces/*/*/*/*.$(kind)))
# The venv sees a ROS installation that was sourced when it was made: install nothing over that.
HAS_ROS = $(shell grep -s 'include-system-site-packages = true' $(VENV)/pyvenv.cfg)
comma := ,
ROS_EXTRA = $(if $(HAS_ROS)$(filter none,$(ROS)),,ros-$(ROS)$(comma))
# Not sorted by the number of tests: files with few tests may take longest, and would be last.
PYTEST = $(BIN)/python -m pytest --numprocesses $(JOBS) --dist loadfile --no-loadscope-reorder --max-worker-restart 0
# Where pytest writes how long each test of a tier took
TIMES := build/tests
run_tier = $(PYTEST) --tier $(1) --junitxml $(TIMES)/$(1).xml $(ARGS)
print_times = $(BIN)/python test/durations.py $(1:%=$(TIMES)/%.xml)
# Not its script, which a venv lacks that sees the one of the system
COLCON = $(BIN)/python -c 'from colcon_core.command import main; raise SystemExit(main())' --log-base build/colcon/log
COLCON_FOLDERS := --build-base build/colcon/build --install-base build/colcon/install
# The packages of messages in interfaces/ belong to the workspace too, and need ament_cmake, which only a sourced ROS has.
AMENT_CMAKE = $(wildcard $(addsuffix /share/ament_cmake,$(subst :, ,$(AMENT_PREFIX_PATH))))
PACKAGES = . $(if $(AMENT_CMAKE),$(patsubst %/CMakeLists.txt,%,$(wildcard interfaces/*/CMakeLists.txt)))
DEMO = $(BIN)/python -m mujoco_ros_py --ros-args --params-file config/demo.yaml \
	-p num_steps:=$(STEPS) -p viewer:=web $(ARGS)

# The ROS wheels restart Python once to set LD_LIBRARY_PATH; so must ours, whoever called make.
unexport _ROS_WHEELS_BOOTSTRAP_COMPLETE
# The tests start Python hundreds of times, which would compile the sources anew each time.
unexport PYTHONDONTWRITEBYTECODE
# Where package:// looks; the wheels leave it unset.
export AMENT_PREFIX_PATH := $(CURDIR)/$(VENV)$(if $(AMENT_PREFIX_PATH),:$(AMENT_PREFIX_PATH))

.PHONY: help demo test test-all test-changed test-nightly test-mujoco-3 colcon bench bench-mujoco-3 docs images generated lint dist clean

help:
	@echo 'make demo    run the example: a robot arm, its controller and a set-point topic'
	@echo '             STEPS=5000     end after so many steps (without it: on Ctrl-C)'
	@echo "             ARGS='-p ...'  more ROS arguments"
	@echo 'make test    lint, then run the fast tests: three minutes on two cores'
	@echo '             JOBS=4         run so many tests at a time'
	@echo "             ARGS='-k ...'  more arguments for pytest"
	@echo 'make test-all'
	@echo '             make test, then the slow tests, with the same options: twenty minutes'
	@echo 'make test-changed'
	@echo '             run only the tests that what has changed can break'
	@echo '             SINCE=main     what differs from this commit (default: HEAD)'
	@echo 'make test-nightly'
	@echo '             run the campaigns for hours: random, hostile, long and large cases,'
	@echo '             MuJoCo 3.17, the other ROS distribution, the tests against changed code'
	@echo '             MUTANTS=100    so many changes of the code'
	@echo 'make test-mujoco-3'
	@echo '             run the fast tests on MuJoCo 3.17, in $(VENV_3)'
	@echo 'make colcon  build the packages with colcon in build/colcon, and run the fast tests there'
	@echo 'make bench   measure the server against what there is without it: 15 minutes at most'
	@echo "             ARGS='ROW...'  only these rows"
	@echo '             COMPARE=COMMIT each row with this commit too, in turn'
	@echo 'make bench-mujoco-3'
	@echo '             measure the engine plugins on MuJoCo 3.17'
	@echo 'make docs    build the site of the documentation, in build/docs'
	@echo 'make images  make the pictures of the documentation anew'
	@echo "             ARGS='NAME...' only these"
	@echo 'make generated'
	@echo '             write the files anew that are made from others, which tests compare'
	@echo 'make lint    ruff, codespell, import-linter and mypy; actionlint where it is installed'
	@echo 'make dist    build the sdist and the wheel in dist/, and check them'
	@echo '             TAG=1.0.0      check that they have this version'
	@echo 'make clean   remove the environments and everything built'
	@echo 'ROS=kilted chooses the distribution of the wheels of ROS 2 (jazzy), which then are in .venv-kilted.'
	@echo 'ROS=none   runs the tests that need no ROS, in .venv-none.'
	@echo 'PYTHON=python3.12 chooses the Python that $(VENV) and $(VENV_3) are made with.'

demo: $(VENV)/demo.stamp
	@# On a terminal Ctrl-C is for the server alone, so that make sees it end well.
	@[ -t 0 ] || exec $(DEMO); set -m; $(DEMO)

test: $(VENV)/test.stamp
	@$(MAKE) --no-print-directory --jobs=2 lint $(VENV)/collected.stamp
	$(call run_tier,fast); ended=$$?; $(call print_times,fast); exit $$ended

test-all: test
	$(call run_tier,slow); ended=$$?; $(call print_times,fast slow); exit $$ended

test-changed: $(VENV)/test.stamp
	@files="$$($(BIN)/python test/changed.py $(SINCE))"; \
		if [ -z "$$files" ]; then echo 'No test depends on what has changed'; \
		else $(PYTEST) -m 'not nightly' $$files $(ARGS); fi

test-nightly: $(VENV)/test.stamp $(VENV)/mutants.stamp
	$(if $(HAS_ROS),,env -u AMENT_PREFIX_PATH $(MAKE) --no-print-directory ROS=$(OTHER_ROS) test)
	$(call run_tier,nightly); ended=$$?; $(call print_times,nightly); exit $$ended
	$(MAKE) --no-print-directory test-mujoco-3
	$(BIN)/python test/mutants.py --count $(MUTANTS)

test-mujoco-3: $(VENV_3)/test.stamp
	AMENT_PREFIX_PATH=$(CURDIR)/$(VENV_3) $(PYTEST:$(BIN)/%=$(VENV_3)/bin/%) --tier fast $(ARGS)

# A workspace of ROS, but for numba, MuJoCo and the tools, which come from the venv
colcon: $(VENV)/collected.stamp
	$(if $(AMENT_CMAKE),,@echo 'Without ament_cmake: source ROS to build the packages of messages too')
	$(COLCON) build --paths $(PACKAGES) $(COLCON_FOLDERS)
	. build/colcon/install/setup.sh && $(COLCON) test --paths . $(COLCON_FOLDERS) --python-testing pytest \
		--pytest-args ' --tier' fast ' --numprocesses' $(JOBS) ' --dist' loadfile \
		--event-handlers console_direct+ --return-code-on-test-failure

bench-mujoco-3: $(VENV_3)/test.stamp
	@$(VENV_3)/bin/python -m benchmarks engine_pid engine_sdf engine_touch_grid engine_cable engine_nn

bench: $(VENV)/bench.stamp
	@$(BIN)/python -m benchmarks $(if $(COMPARE),--compare $(COMPARE)) $(ARGS)

docs: $(VENV)/docs.stamp
	@$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going --conf-dir docs . build/docs
	@echo 'The site begins with build/docs/index.html'

images: $(VENV)/docs.stamp
	@$(BIN)/python -m docs.pictures $(ARGS)

generated: $(VENV)/test.stamp
	$(BIN)/python -m mujoco_ros_py.mjcf.schema.generate
	$(BIN)/python docs/generate_parameters.py
	$(BIN)/python test/public_api.py

lint: $(VENV)/test.stamp
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/codespell
	$(BIN)/lint-imports --no-logo
	$(BIN)/mypy
	$(BIN)/mypy interfaces/rosidl_backend interfaces/install.py
	@# It cannot be installed without a download of its own: CI installs it.
	@if command -v actionlint > /dev/null; then actionlint; fi

dist: $(BIN)/python
	@$(BIN)/python -m pip install -qq --disable-pip-version-check build twine
	@rm -rf dist
	$(BIN)/python -m build
	$(BIN)/python -m twine check --strict dist/*
	@$(if $(TAG),ls dist/mujoco_ros_py-$(TAG).tar.gz)

clean:
	rm -rf .venv .venv-* build dist install log *.egg-info .import_linter_cache .mypy_cache .pytest_cache .ruff_cache

$(VENV)/demo.stamp: EXTRAS = [$(ROS_EXTRA)viewer]
$(VENV)/bench.stamp: EXTRAS = [$(ROS_EXTRA)bench]
$(VENV)/docs.stamp: EXTRAS = [$(ROS_EXTRA)docs]
$(VENV)/mutants.stamp: EXTRAS = [$(ROS_EXTRA)mutants]
$(VENV)/test.stamp: EXTRAS = [$(ROS_EXTRA)test]
$(VENV)/%.stamp: setup.py setup.cfg pyproject.toml package.xml $(INTERFACES) | $(BIN)/python
	@echo 'Installing .$(EXTRAS) into $(VENV): the first time this takes a minute or two'
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.$(EXTRAS)'
	@$(BIN)/python interfaces/install.py
	@# An editable install leaves out the data files, by which ROS finds the package.
	@mkdir -p $(INDEX)
	@touch $(INDEX)/mujoco_ros_py
	@ln -sfn ../.. $(VENV)/share/mujoco_ros_py
	@ln -sfn ../../scripts $(VENV)/lib/mujoco_ros_py
	@# Otherwise the first start would compile for many seconds.
	@$(BIN)/python -m mujoco_ros_py prepare > /dev/null
	@touch $(VENV)/demo.stamp $@
	@echo 'Done: $(VENV) is ready'

# The first time that tests are collected they are compiled, as are a server and a batch at their
# first start. That takes a minute, and each of the workers would do it for itself. What fails here,
# the tests tell.
$(VENV)/collected.stamp: $(VENV)/test.stamp
	@$(BIN)/python -m pytest --collect-only --tier fast > /dev/null 2>&1 || true
	@$(BIN)/python -m pytest --tier fast test/system/test_stepping.py test/session/batch/test_threads_and_memory.py \
		> /dev/null 2>&1 || true
	@touch $@

$(VENV_3)/test.stamp: setup.py setup.cfg pyproject.toml $(INTERFACES) | $(VENV_3)/bin/python
	@echo 'Installing $(MUJOCO_3) and what the tests need into $(VENV_3)'
	@$(VENV_3)/bin/python -m pip install -qq --disable-pip-version-check --editable '.[$(ROS_EXTRA)test]' '$(MUJOCO_3)'
	@AMENT_PREFIX_PATH=$(CURDIR)/$(VENV_3) $(VENV_3)/bin/python interfaces/install.py
	@mkdir -p $(VENV_3)/share/ament_index/resource_index/packages
	@touch $(VENV_3)/share/ament_index/resource_index/packages/mujoco_ros_py
	@ln -sfn ../.. $(VENV_3)/share/mujoco_ros_py
	@touch $@
	@echo 'Done: $(VENV_3) is ready'

$(BIN)/python $(VENV_3)/bin/python: %/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2> /dev/null || { \
		echo "Python 3.10 or newer is needed, and $(PYTHON) says: $$($(PYTHON) -V 2>&1)." \
			'Another is chosen with PYTHON=python3.12'; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2> /dev/null || { \
		echo "$(PYTHON) comes without venv or ensurepip:" \
			'on Debian and Ubuntu, apt install python3-venv brings both'; exit 1; }
	@echo "Making $* with $$($(PYTHON) -V)"
	@$(PYTHON) -c 'import rclpy' 2> /dev/null \
		&& $(PYTHON) -m venv --system-site-packages $* \
		&& $@ -c 'import rclpy' 2> /dev/null \
		|| $(PYTHON) -m venv --clear $*
