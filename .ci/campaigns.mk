# Steps of .ci/run that wait for processes, disks and networks, or compute in one process: side by side they
# leave no processor idle.  `make -j2 -Orecurse -f .ci/campaigns.mk all`: two steps at a time, and what a step
# prints comes whole when it has ended.  The longest come first; `auditor` and `player` need Node and are asked for.

SHELL := bash
STEPS := simulate explore archive chaos tables worlds
.PHONY: all auditor player $(STEPS)
all: $(STEPS)

# One target of the Makefile, with its options, below a headline and above its seconds.
step = @+printf '\n== %s\n' '$(1)'; TIMEFORMAT='(%0R s)'; time $(MAKE) --no-print-directory $@ $(2)

simulate:
	$(call step,whole matches by one seed each,SEEDS=200 JOBS=2)

auditor:
	$(call step,the auditor in TypeScript on all vectors and on fresh forged matches,COUNT=300)

explore:
	$(call step,real seats against forging ones under random schedules,COUNT=100 JOBS=2)

archive:
	$(call step,archives of records with the extras that they need)

chaos:
	$(call step,matches that are killed or cut off or given a failing disk,SEED=3 JOBS=2)

tables:
	$(call step,the same at tables of three to five which somebody leaves for good,MATCHES=2 SEED=8 JOBS=2)

worlds:
	$(call step,every world of a few small tables,FEW=1 BUDGET=60)

player:
	$(call step,the player in TypeScript against ours)
