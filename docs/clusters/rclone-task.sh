#!/bin/bash
# One shard of a corpus in an object store: copies its inputs in, converts, and copies outputs and records out.
#
#   rclone-task.sh REMOTE [SHARD]      such as  rclone-task.sh s3:bucket/corpus 7
#
# REMOTE holds the run (run/) and the inputs by the paths of the plan. Without a number, the scheduler's index counts:
# set SHARD, or run it in a task that has one. Scratch is $TMPDIR.
set -euo pipefail
remote=$1
shard=${2:-${SHARD:-}}
if [ -z "$shard" ]; then
  index=${SLURM_ARRAY_TASK_ID:-}
  [ -n "$index" ] || index=$((${JOB_COMPLETION_INDEX:-${AWS_BATCH_JOB_ARRAY_INDEX:-${CLOUD_RUN_TASK_INDEX:-$BATCH_TASK_INDEX}}} + 1))
  shard=$index
fi
name=$(printf %04d "$shard")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

rclone copy "$remote/run/plan.json" run/
rclone copy "$remote/run/shards/$name.jsonl" run/shards/
mkdir -p run/records
rclone copy "$remote/run/records" run/records --include "$name-*.jsonl"
python3 - "run/shards/$name.jsonl" >inputs <<'END'
import json, sys
print("\n".join(sorted({json.loads(line)["input"] for line in open(sys.argv[1])})))
END
rclone copy "$remote" . --files-from-raw inputs --no-traverse

output=$(python3 -c 'import json; print(json.load(open("run/plan.json"))["output"])')
status=0
scaleaudio convert --run run --shard "$shard" --quiet || status=$?

# Outputs first: a record must never name one that is not there.
[ ! -d "$output" ] || rclone copy "$output" "$remote/$output"
rclone copy run/records "$remote/run/records" --include "$name-*.jsonl"
exit $status
