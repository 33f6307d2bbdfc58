import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openPool } from '@icosa/compute'
import type { Metrics } from '@icosa/kernel'
import type { Descriptor } from '../engine/look/describe.ts'
import type { IndexResult, IndexTask } from './index-thread.ts'

/** Indexes of galleries that are too large to compare with each face. */
export interface Indexes {
  /** From so many faces on there is one. */
  readonly from: number
  /** The bytes of a new index. Takes its time, in a thread that the signal ends. */
  build(tenant: string, descriptors: SharedArrayBuffer, signal: AbortSignal): AsyncIterable<Uint8Array>
  open(tenant: string, name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** The places of faces that are likely the nearest; undefined if it is not open. */
  search(tenant: string, name: string, probe: Descriptor, count: number): Promise<Float64Array | undefined>
  forget(name: string): void
  close(): Promise<void>
}

const hours = 3_600_000
const pieceBytes = 1024 * 1024
/** The platform's own work, which waits for nobody's share. */
const platform = ''

export function openIndexes(from: number, metrics?: Metrics): Indexes {
  const shared = { module: new URL('./index-thread.ts', import.meta.url), memoryMb: 96, ...(metrics && { metrics }) }
  const builder = openPool<IndexTask, IndexResult>({ ...shared, name: 'learning faces', waitMs: 24 * hours })
  const searcher = openPool<IndexTask, IndexResult>({ ...shared, name: 'searching faces', deadlineMs: 60_000 })
  return {
    from,
    async *build(tenant, descriptors, signal) {
      await using temporary = await temporaryFolder()
      const { file } = temporary
      await builder.run(tenant, { is: 'build', descriptors, file }, { signal, deadlineMs: 12 * hours })
      yield* createReadStream(file, { highWaterMark: pieceBytes })
    },
    async open(tenant, name, bytes) {
      await using temporary = await temporaryFolder()
      const { file } = temporary
      await pipeline(bytes, createWriteStream(file, { mode: 0o600 }))
      await searcher.run(tenant, { is: 'open', name, file })
    },
    search: (tenant, name, probe, count) => searcher.run(tenant, { is: 'search', name, probe, count }),
    forget: (name) => void searcher.run(platform, { is: 'close', name }).catch(() => {}), // gone with its thread then
    async close() {
      await Promise.all([builder.close(), searcher.close()])
    },
  }
}

/** The library reads and writes files only: they are there for a moment, in a folder that nobody else can enter. */
async function temporaryFolder(): Promise<AsyncDisposable & { readonly file: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-faces-'))
  return { file: join(folder, 'index'), [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
