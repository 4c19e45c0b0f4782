// All shards of a run, then merge:  nextflow run nextflow.nf --run /data/run --shards 1000 --folder /data
params.run = 'run'
params.shards = 1000
params.folder = launchDir

process convert {
  cpus 1
  memory '512 MB'
  maxRetries 3
  // 75 and what kills a task are worth another attempt; merge names what is left after these, or after 1. One attempt
  // too many, or another strategy, would end the workflow before merge.
  errorStrategy { task.exitStatus in [75, 130, 137, 140, 143] && task.attempt <= 3 ? 'retry' : 'ignore' }

  input:
  val shard

  output:
  val shard

  script:
  """
  cd '${params.folder}'
  scaleaudio convert --run '${params.run}' --shard ${shard}/${params.shards} --threads ${task.cpus} --quiet
  """
}

process merge {
  input:
  val shards

  output:
  stdout

  script:
  """
  cd '${params.folder}'
  scaleaudio merge '${params.run}'
  """
}

workflow {
  done = convert(Channel.of(1..(params.shards as int)))
  merge(done.collect().ifEmpty([])) | view
}
