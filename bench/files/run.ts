/** Uploads a large file through an operation into a folder, and downloads it. BENCH_MIB is its size (512). */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mebibyte, transfer } from '../../tests/streams/transfer.ts'
import { record } from '../figures.ts'

const mebibytes = Number(process.env.BENCH_MIB ?? 512)
const directory = await mkdtemp(join(tmpdir(), 'icosa-bench-'))
try {
  const { digest, download, upSeconds, downSeconds, ...memory } = await transfer({ directory }, mebibytes * mebibyte)
  if (download.digest !== digest) throw new Error('The download differs from the upload.')
  const file = `file of ${mebibytes} MiB`
  record([
    { name: `upload of a ${file} into a folder`, value: mebibytes / upSeconds, unit: 'MiB/s' },
    { name: `download of a ${file}`, value: mebibytes / downSeconds, unit: 'MiB/s' },
    {
      name: 'memory growth of the node, after a first file of 32 MiB',
      value: memory.growthBytes / mebibyte,
      unit: 'MiB',
      goal: { atMost: 64 },
    },
    {
      name: 'memory growth of the node since it was idle',
      value: memory.growthSinceBootBytes / mebibyte,
      unit: 'MiB',
    },
    { name: 'memory of the idle node', value: memory.idleBytes / mebibyte, unit: 'MiB' },
  ])
} finally {
  await rm(directory, { recursive: true, force: true })
}
