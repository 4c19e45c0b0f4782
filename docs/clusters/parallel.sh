#!/bin/bash
# All shards on one machine, or on several by ssh, with GNU parallel:
#
#   parallel.sh SHARDS [OPTIONS OF PARALLEL]      such as  parallel.sh 1000 --sshloginfile hosts --workdir "$PWD"
#
# A shard that fails is tried three times; one that is done again does nothing.
set -u
shards=$1
shift
run=${RUN:-run}
seq "$shards" | parallel --retries 3 --joblog "$run/parallel.log" "$@" \
  scaleaudio convert --run "$run" --shard "{}/$shards" --threads 1 --quiet
exec scaleaudio merge "$run"
