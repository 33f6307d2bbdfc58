import { setTimeout as sleep } from 'node:timers/promises'
import { isOutage } from '@icosa/kernel'
import type { RouteChange } from '../cells/cell.ts'
import { DamagedTable, readTable, writeTable } from './table/file.ts'
import { RouteTable } from './table/table.ts'

const pageSize = 10_000
const pollMs = 1_000
/** While requests wait for a tenant that is on hold. */
const urgentPollMs = 50
/** Writing the file takes at most this share of the time. */
const writingShare = 0.01

export interface FollowOptions {
  /** Reads changes of the directory after a version, in their order. */
  readonly read: (version: string, limit: number) => Promise<readonly RouteChange[]>
  /** Returns the directory's latest version. */
  readonly latest: () => Promise<string>
  readonly file: string
  readonly say: (line: string) => void
  /** Called after each read of the directory, with the changes that are in the table now, if there are any. */
  readonly publish?: (table: RouteTable, changes: readonly RouteChange[]) => Promise<void>
}

/** A table that follows the directory. While the directory is away, the table does not change. */
export interface FollowedTable {
  readonly table: RouteTable
  /** Reads the latest changes; returns without them if the directory is away. */
  refresh(): Promise<void>
  /** Resolves after the next changes, which are looked for more often meanwhile, or when the signal aborts. */
  changed(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Starts with the file, or with the directory if there is none. Throws if neither can be read. */
export async function followDirectory(options: FollowOptions): Promise<FollowedTable> {
  const { file, say } = options
  const table = new RouteTable(await storedTable(options))
  const closing = new AbortController()
  let waiting = 0
  let next = Promise.withResolvers<void>()
  let polling: Promise<void> | undefined
  let wake = new AbortController()
  let isAway = true
  let hasFailed = false
  let [isUnwritten, writeAt] = [false, 0]

  async function readChanges(publish = options.publish): Promise<void> {
    for (let isMore = true; isMore; ) {
      const changes = await options.read(table.version, pageSize)
      isMore = changes.length === pageSize
      table.apply(changes)
      await publish?.(table, changes)
      if (changes.length === 0) return
      isUnwritten = true
      next.resolve()
      next = Promise.withResolvers()
    }
  }
  /** Restored from a backup or created again, the directory gives versions again that it had given before. */
  async function rewindIfNewer(): Promise<void> {
    const latest = await options.latest()
    if (BigInt(latest) >= BigInt(table.version)) return
    say(`The directory is at version ${latest}, the table at ${table.version}: reading everything again.`)
    table.rewind()
  }
  async function poll(): Promise<void> {
    try {
      if (isAway) await rewindIfNewer()
      await readChanges()
      if (isAway) say(`The directory is read, now at version ${table.version}.`)
      isAway = false
    } catch (error) {
      const isNew = !isAway || !hasFailed
      if (isNew) say(`The directory cannot be read; routing goes on with version ${table.version}: ${textOf(error)}`)
      isAway = true
      hasFailed = true
    }
  }
  function refresh(): Promise<void> {
    polling ??= poll().finally(() => {
      polling = undefined
    })
    return polling
  }
  async function write(): Promise<void> {
    if (!isUnwritten || performance.now() < writeAt) return
    const began = performance.now()
    isUnwritten = false
    try {
      await writeTable(file, table.snapshot())
    } catch (error) {
      isUnwritten = true
      say(`${file} cannot be written; a restart would begin with an older table: ${textOf(error)}`)
    }
    const tookMs = performance.now() - began
    writeAt = performance.now() + Math.max(pollMs, tookMs / writingShare)
  }
  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await refresh()
      await write()
      wake = new AbortController()
      const signal = AbortSignal.any([wake.signal, closing.signal])
      await sleep(waiting > 0 ? urgentPollMs : pollMs, undefined, { signal }).catch(() => {})
    }
  }

  if (table.version === '0') {
    await readChanges(async () => {}).catch((error: unknown) => {
      throw new Error(`There is no routing table at ${file}, and the directory cannot be read: ${textOf(error)}`)
    })
    await writeTable(file, table.snapshot())
    isUnwritten = false
  }
  const running = run()
  return {
    table,
    refresh,
    async changed(signal) {
      waiting++
      if (waiting === 1) wake.abort()
      try {
        await Promise.race([next.promise, aborted(signal)])
      } finally {
        waiting--
      }
    },
    async close() {
      closing.abort()
      await running
      writeAt = 0
      await write()
    },
  }
}

async function storedTable({ file, say }: FollowOptions) {
  try {
    return await readTable(file)
  } catch (error) {
    if (!(error instanceof DamagedTable)) throw error
    say(`${error.message} It is replaced by the directory's content.`)
    return undefined
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

const textOf = (error: unknown) =>
  isOutage(error) ? 'PostgreSQL is away.' : error instanceof Error ? error.message : String(error)
