# wisp: plain GNU make, no configure.
#
#   make                         the C programs, in $(BUILD)
#   make check                   lint, unit, bats, fuzz; ends with `N passed, N failed`
#   make check-tests             unit and bats alone
#   make check-distro            wisp on bare Debian systems; needs root and debootstrap
#   make deb rpm static dist     packages: Debian, RPM, static programs, the source (packaging/README.md)
#   make pictures                draws docs/run.svg from a run of the demo; needs tmux
#   make check-packages          these on bare Debian systems; needs what they need, root and debootstrap
#   make check-agents            sessions with the real CLIs, which npm installs below $(BUILD);
#                                needs Node.js and npm, and ends as check does
#   make reliability             kills, races and power cuts by the thousand (docs/reliability.md);
#                                PARTS='race tree' runs some of it, hours on a small machine
#   make security                what a sandbox holds off here, and 1,000 steps that want to outlive
#                                their end; PARTS='--write matrix' renews the table of docs/security.md
#   make install PREFIX=/usr     DESTDIR stages it somewhere else
#   make PORTABLE=1              the POSIX paths, on Linux too
#   make CC=clang WERROR=-Werror V=1   another compiler, warnings are errors, commands shown
#
# Paths in here are relative, so that the checkout may lie anywhere; BUILD is
# the one path that must hold no blank.

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBEXECDIR ?= $(PREFIX)/libexec/wisp
DATADIR ?= $(PREFIX)/share/wisp
DOCDIR ?= $(PREFIX)/share/doc/wisp
MANDIR ?= $(PREFIX)/share/man
BASHCOMPDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHCOMPDIR ?= $(PREFIX)/share/zsh/site-functions
FISHCOMPDIR ?= $(PREFIX)/share/fish/vendor_completions.d

BUILD ?= build
CFLAGS ?= -O2 -g
PKG_CONFIG ?= pkg-config
FUZZ_SECONDS ?= 20

# Warnings are errors where the tree is checked, not where people build it.
ifneq (,$(filter check check-tests lint unit bats asan fuzz,$(MAKECMDGOALS)))
WERROR ?= -Werror
endif
export WERROR

VERSION := $(shell cat VERSION)
MAKEFLAGS += --no-print-directory
Q := $(if $(filter 1,$(V)),,@)
say = $(if $(Q),@printf '  %-7s %s\n' $1 '$2')

# What the code needs whatever the packager sets; CFLAGS comes after it.
WARNINGS = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wvla $(WERROR)
REPRODUCIBLE = "-ffile-prefix-map=$$PWD=."
CPP_REQUIRED = -D_GNU_SOURCE -DWISP_VERSION=\"$(VERSION)\" -Isrc
ifdef PORTABLE
CPP_REQUIRED += -DWISP_PORTABLE
endif

# Fortified calls need the optimiser, and hide errors from the sanitizers.
ifneq (,$(filter-out -O0,$(filter -O%,$(CFLAGS))))
ifeq (,$(findstring -fsanitize,$(CFLAGS)))
HARDENING = -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
endif
endif
HARDENING += -fstack-protector-strong
ARFLAGS = qcs
ifneq (Darwin,$(shell uname -s))
ARFLAGS = qcsD
HARDENING += -fPIE
LD_REQUIRED = -pie -Wl,-z,relro,-z,now -Wl,--as-needed
endif

# $(call package,NAME,FALLBACK): libjq 1.6 and some systems have no .pc file.
package = $(shell $(PKG_CONFIG) --$3 $1 2>/dev/null || echo $2)
CPP_REQUIRED += $(call package,libcjson,,cflags) $(call package,libmd,,cflags) $(call package,libjq,,cflags) \
	$(call package,expat,,cflags)
LIBS := $(call package,libcjson,-lcjson,libs) $(call package,libmd,-lmd,libs) -lm
JQ_LIBS := $(call package,libjq,-ljq,libs)
XML_LIBS := $(call package,expat,-lexpat,libs)
CURSES_LIBS := $(call package,ncursesw,$(if $(filter Darwin,$(shell uname -s)),-lncurses,-lncursesw),libs)

COMPILE := $(CC) -std=c11 $(WARNINGS) $(HARDENING) $(CPP_REQUIRED) $(CPPFLAGS) $(CFLAGS) $(REPRODUCIBLE)
LINK := $(CC) $(CFLAGS) $(LD_REQUIRED) $(LDFLAGS)

# Public programs are installed beside wisp, private ones in LIBEXECDIR/bin.
PUBLIC = wisp-state wisp-tasks wisp-gate wisp-stuck wisp-agent wisp-prompt wisp-limit wisp-wait
PRIVATE = wisp-session wisp-config wisp-filter wisp-hook wisp-screen wisp-orch wisp-tree wisp-exec wisp-sandbox
PROGRAMS = $(addprefix $(BUILD)/,$(PUBLIC) $(PRIVATE))

core = $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/core/*.c))
step = $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/step/*.c))
gate = $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/gate/*.c))
state = $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/state/*.c))
session = $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/session/*.c))
config = $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/config/*.c))
tasks = $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/tasks/*.c))
filters = $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/filter/*.c))
prompt = $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/prompt/*.c))
orch = $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/orch/*.c))
hook = $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/hook/*.c))
tree = $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/tree/*.c))
sandbox = $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/sandbox/*.c))
stuck = $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/stuck/*.c))
wait = $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/wait/*.c))
screen = $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/screen/*.c))
TABLE = $(addprefix $(BUILD)/screen/,cells.o columns.o layout.o plain.o row.o sessions.o)
FILTER = $(BUILD)/core/filter.o $(BUILD)/core/filter_child.o
ASK = $(BUILD)/core/filter.o $(BUILD)/core/filter_exec.o
JUNIT = $(BUILD)/core/counts_junit.o
CORE = $(BUILD)/libwisp.a
UNITS = $(patsubst tests/%.c,$(BUILD)/%,$(wildcard tests/unit/*.c))
FUZZERS = $(patsubst tests/%.c,$(BUILD)/%,$(wildcard tests/fuzz/*.c))
SHIMS = $(patsubst tests/%.c,$(BUILD)/%.so,$(wildcard tests/fault/*.c))
BENCHES = $(patsubst tests/%.c,$(BUILD)/%,$(wildcard tests/bench/*.c))

SANITIZE = -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FUZZ = -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all

all: $(PROGRAMS) $(BUILD)/commit

# The link map: what is not named here is not linked. Only filter_child.o needs libjq, only counts_junit.o expat, only
# screen/term.o curses.
$(BUILD)/wisp-state: $(BUILD)/wisp-state.o $(state) $(prompt) $(tree) $(BUILD)/wait/parent.o $(ASK) $(CORE)
$(BUILD)/wisp-tasks: $(BUILD)/wisp-tasks.o $(tasks) $(tree) $(BUILD)/wait/parent.o $(JUNIT) $(CORE)
$(BUILD)/wisp-gate: $(BUILD)/wisp-gate.o $(gate) $(ASK) $(CORE)
$(BUILD)/wisp-stuck: $(BUILD)/wisp-stuck.o $(stuck) $(CORE)
$(BUILD)/wisp-agent: $(BUILD)/wisp-agent.o $(step) $(CORE)
$(BUILD)/wisp-prompt: $(BUILD)/wisp-prompt.o $(prompt) $(CORE)
$(BUILD)/wisp-limit: $(BUILD)/wisp-limit.o $(CORE)
$(BUILD)/wisp-wait: $(BUILD)/wisp-wait.o $(wait) $(BUILD)/screen/cells.o $(CORE)
$(BUILD)/wisp-session: $(BUILD)/wisp-session.o $(session) $(TABLE) $(BUILD)/step/event.o $(BUILD)/step/values.o \
	$(BUILD)/wait/parent.o $(CORE)
$(BUILD)/wisp-config: $(BUILD)/wisp-config.o $(config) $(BUILD)/step/env.o $(CORE)
$(BUILD)/wisp-filter: $(BUILD)/wisp-filter.o $(filters) $(tasks) $(FILTER) $(JUNIT) $(CORE)
$(BUILD)/wisp-hook: $(BUILD)/wisp-hook.o $(hook) $(CORE)
$(BUILD)/wisp-orch: $(BUILD)/wisp-orch.o $(orch) $(CORE)
$(BUILD)/wisp-tree: $(BUILD)/wisp-tree.o $(tree) $(BUILD)/wait/parent.o $(CORE)
$(BUILD)/wisp-exec: $(BUILD)/wisp-exec.o $(addprefix $(BUILD)/core/,inherit.o die.o buf.o)
$(BUILD)/wisp-sandbox: $(BUILD)/wisp-sandbox.o $(sandbox) $(tree) $(addprefix $(BUILD)/step/,env.o fd.o spawn_find.o) \
	$(BUILD)/wait/parent.o $(CORE)
$(BUILD)/wisp-screen: $(BUILD)/wisp-screen.o $(screen) $(CORE)

link = $(LINK) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS) \
	$(if $(filter %/filter_child.o %/libtest.a,$^),$(JQ_LIBS)) $(if $(filter %/counts_junit.o %/libtest.a,$^),$(XML_LIBS)) \
	$(if $(filter %/screen/term.o,$^),$(CURSES_LIBS))

$(PROGRAMS):
	$(call say,LINK,$@)
	$(Q)$(link)

$(BUILD)/libwisp.a: $(filter-out $(FILTER) $(ASK) $(JUNIT),$(core))
# Everything in one archive: a unit test pulls in what it names.
$(BUILD)/libtest.a: $(filter-out %/filter_exec.o,$(core)) $(step) $(screen) $(hook) $(orch) $(tasks) $(tree) $(wait) $(session) $(sandbox)
$(BUILD)/libwisp.a $(BUILD)/libtest.a:
	$(call say,AR,$@)
	$(Q)rm -f $@
	$(Q)$(AR) $(ARFLAGS) $@ $^

$(BUILD)/screen/term.o $(BUILD)/screen/term_known.o: override CPPFLAGS += $(call package,ncursesw,,cflags)

$(BUILD)/%.o: src/%.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -MMD -MP -c -o $@ $<

$(BUILD)/%.o: tests/%.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -MMD -MP -c -o $@ $<

$(BUILD)/unit/%: $(BUILD)/unit/%.o $(BUILD)/libtest.a
	$(Q)$(link)

$(BUILD)/fuzz/%: $(BUILD)/fuzz/%.o $(BUILD)/libtest.a
	$(Q)$(link) -fsanitize=fuzzer

$(BUILD)/bench/cases: $(JUNIT)
$(BUILD)/bench/%: $(BUILD)/bench/%.o $(CORE)
	$(Q)$(link)

$(BUILD)/fault/%.so: tests/fault/%.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -fPIC -shared $(LDFLAGS) -o $@ $< -ldl

# Changes when the flags do, and so rebuilds what was built with others.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(subst ','\'',$(COMPILE) $(LINK))' >$@.new
	@if cmp -s $@.new $@; then rm -f $@.new; else mv -f $@.new $@; fi

# What `wisp --version` names beside the release.
$(BUILD)/commit: FORCE
	@mkdir -p $(@D)
	@packaging/commit >$@.new && if cmp -s $@.new $@; then rm -f $@.new; else mv -f $@.new $@; fi

.SECONDARY:
-include $(wildcard $(BUILD)/*.d $(BUILD)/*/*.d)

# --- tests ---------------------------------------------------------------

# tests/run comes back to this file for what it needs; named so that -n does not start it.
make = $(MAKE)
run_tests = $(Q)MAKE='$(make)' FUZZ_SECONDS=$(FUZZ_SECONDS) tests/run $(BUILD)

check:
	$(run_tests) lint unit bats fuzz

check-tests:
	$(run_tests) unit bats

unit bats asan fuzz:
	$(run_tests) $@

check-agents:
	$(run_tests) agents

check-packages:
	$(Q)tests/check-packages $(BUILD)

check-distro:
	$(Q)tests/check-distro $(BUILD)

lint:
	$(call say,LINT,headers)
	$(Q)for h in $(wildcard src/*/*.h); do $(COMPILE) -fsyntax-only -x c "$$h" || exit 1; done
	$(Q)tests/lint
	$(Q)$(MAKE) BUILD=$(BUILD)/clang CC=clang all units shims

units: $(UNITS)
shims: $(SHIMS)
benches: $(BENCHES)
all units shims benches:
	@:

sanitized-units:
	$(Q)$(MAKE) BUILD=$(BUILD)/asan CFLAGS='$(SANITIZE)' units
sanitized:
	$(Q)$(MAKE) BUILD=$(BUILD)/asan CFLAGS='$(SANITIZE)' all shims

fuzzers:
	$(Q)$(MAKE) BUILD=$(BUILD)/fuzzers CC=clang CFLAGS='$(FUZZ)' fuzz-programs

fuzz-programs: $(FUZZERS)

reliability: all shims
	$(Q)WISP_BUILD=$(BUILD) tests/reliability/run $(PARTS)

security: all shims
	$(Q)WISP_BUILD=$(BUILD) tests/security/run $(PARTS)

bench: all benches
	$(Q)WISP_BUILD=$(BUILD) tests/bench/run

# Not all files at once: tables and remarks are lined up by hand.
format:
	clang-format -i $(FILES)

# --- install -------------------------------------------------------------

# $(call put,FOLDER,MODE,FILES) copies files into a folder.
put = $(if $3,$(Q)install -d "$(DESTDIR)$1" && install -m $2 $3 "$(DESTDIR)$1/")
# $(call each,TREE,COMMANDS) runs commands with f, each file below TREE in turn.
each = $(Q)find $1 -type f ! -name '.*' | while IFS= read -r f; do f=$${f\#$1/}; $2 || exit 1; done
# $(call put_tree,TREE,FOLDER) copies a tree with its exec bits; drop_tree takes it away again.
put_tree = $(call each,$1,to="$(DESTDIR)$2/$$f"; mode=644; \
	if [ -x "$1/$$f" ]; then mode=755; fi; \
	install -d "$${to%/*}" && install -m $$mode "$1/$$f" "$$to")
drop_tree = $(call each,$1,rm -f "$(DESTDIR)$2/$$f")

install: all
	$(call say,INSTALL,$(DESTDIR)$(PREFIX))
	@mkdir -p $(BUILD)/install
	@sed 's|@LIBEXECDIR@|$(LIBEXECDIR)|; s|@DATADIR@|$(DATADIR)|' bin/wisp >$(BUILD)/install/wisp
	$(call put,$(BINDIR),755,$(BUILD)/install/wisp $(addprefix $(BUILD)/,$(PUBLIC)))
	$(call put,$(LIBEXECDIR)/bin,755,$(addprefix $(BUILD)/,$(PRIVATE)))
	$(call put_tree,libexec,$(LIBEXECDIR))
	$(call put_tree,templates,$(DATADIR)/templates)
	$(call put,$(DATADIR),644,VERSION $(BUILD)/commit)
	$(call put,$(DOCDIR),644,README.md NEWS LICENSE)
	$(call put,$(DOCDIR)/docs,644,$(wildcard docs/*))
	$(call put,$(MANDIR)/man1,644,$(wildcard man/*.1))
	$(call put,$(MANDIR)/man5,644,$(wildcard man/*.5))
	$(call put,$(MANDIR)/man7,644,$(wildcard man/*.7))
	$(Q)install -d "$(DESTDIR)$(BASHCOMPDIR)"
	$(Q)install -m 644 completions/wisp.bash "$(DESTDIR)$(BASHCOMPDIR)/wisp"
	$(call put,$(ZSHCOMPDIR),644,completions/_wisp)
	$(call put,$(FISHCOMPDIR),644,completions/wisp.fish)

# The folders that are wisp's own go too; those it shares stay.
uninstall:
	$(call say,REMOVE,$(DESTDIR)$(PREFIX))
	$(Q)for p in wisp $(PUBLIC); do rm -f "$(DESTDIR)$(BINDIR)/$$p"; done
	$(Q)for p in $(PRIVATE); do rm -f "$(DESTDIR)$(LIBEXECDIR)/bin/$$p"; done
	$(call drop_tree,libexec,$(LIBEXECDIR))
	$(call drop_tree,templates,$(DATADIR)/templates)
	$(Q)rm -f "$(DESTDIR)$(DATADIR)/VERSION" "$(DESTDIR)$(DATADIR)/commit"
	$(Q)for p in README.md NEWS LICENSE $(wildcard docs/*); do rm -f "$(DESTDIR)$(DOCDIR)/$$p"; done
	$(Q)for p in $(notdir $(wildcard man/*.[157])); do rm -f "$(DESTDIR)$(MANDIR)/man$${p##*.}/$$p"; done
	$(Q)rm -f "$(DESTDIR)$(BASHCOMPDIR)/wisp" "$(DESTDIR)$(ZSHCOMPDIR)/_wisp" "$(DESTDIR)$(FISHCOMPDIR)/wisp.fish"
	$(Q)for d in "$(DESTDIR)$(LIBEXECDIR)" "$(DESTDIR)$(DATADIR)" "$(DESTDIR)$(DOCDIR)"; do \
		if [ -d "$$d" ]; then find "$$d" -depth -type d -exec rmdir {} + 2>/dev/null || :; fi; done

clean:
	rm -rf $(BUILD)

# --- packages (packaging/README.md) ----------------------------------------

deb dist pictures rpm static:
	$(Q)packaging/make-$@ $(BUILD)

.PHONY: all check check-tests check-agents check-distro check-packages deb dist pictures rpm static unit bats asan fuzz lint units shims benches sanitized sanitized-units fuzzers fuzz-programs \
	bench reliability security format install uninstall clean FORCE
