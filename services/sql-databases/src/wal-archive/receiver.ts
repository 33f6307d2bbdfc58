import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Platform, ReadingDb } from '@icosa/kernel'
import { installation } from '../databases/store.ts'
import { serviceName } from '../names.ts'
import { readWatermark, type Watermark } from './host-store.ts'
import { type Lsn, segmentOf } from './lsn.ts'
import { openReplication, type Replication, type System } from './replication.ts'
import { archiveKeyOf, sealBytes } from './sealing.ts'
import { type HostSession, openSession } from './session.ts'
import * as store from './store.ts'
import { openWalBuffer, type PendingWal } from './wal-buffer.ts'

/** Streams the SQL host's WAL into the archive, on one node of the cell: a replication slot has one client at a time. */
export interface Receiver {
  /** Starts unless it runs on this node. Has no effect while another node has the slot. */
  ensure(): void
  /** Last error, until WAL is received again. */
  problem(): string | undefined
  stop(): Promise<void>
}

export const walChunkKey = (epoch: number, id: string) => `archive/${epoch}/log/${id}`

/** Archiving interval, and so the approximate lag of the archive. */
const archiveEveryMs = 1_000
/** How often the recoverable time advances on an idle server. */
const idleMs = 5_000
/** Backpressure: beyond it, WAL waits in the server. */
const maxBufferedBytes = 64 * 1024 ** 2

export const slotOf = async (db: ReadingDb) => `${(await installation(db)).prefix}archive`

export function startReceiver(platform: Platform, url: string): Receiver {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let problem: string | undefined
  return {
    ensure() {
      if (running || stopping.signal.aborted) return
      const clearProblem = () => {
        problem = undefined
      }
      running = receive(platform, url, stopping.signal, clearProblem)
        .catch((err: Error) => {
          if (isSlotInUse(err)) clearProblem()
          if (isSlotInUse(err) || stopping.signal.aborted) return
          problem = err.message
          platform.log.warn({ err }, 'WAL of the SQL host is not being received')
        })
        .finally(() => {
          running = undefined
        })
    },
    problem: () => problem,
    async stop() {
      stopping.abort()
      await running
    },
  }
}

const isSlotInUse = (error: unknown) => codeOf(error) === objectInUse
const objectInUse = '55006'
/** The server has recycled WAL that was not received, or invalidated the slot. */
const walLostCodes: readonly unknown[] = ['58P01', '55000']
const codeOf = (error: unknown) => (error as { readonly code?: unknown } | undefined)?.code

async function receive(platform: Platform, url: string, signal: AbortSignal, onReceived: () => void): Promise<void> {
  using connection = await openReplication(url)
  await using session = await openSession({ connectionString: url })
  try {
    const system = await connection.identify()
    const slot = await slotOf(platform.database)
    const archive = await archiveOf(platform, connection, system, slot)
    const end = (await store.endOf(platform.database, archive.epoch)) ?? system.position
    const from = segmentOf(end, system.segmentBytes)
    const sentAt = (await store.sentAt(platform.database, archive.epoch, from)) ?? new Date(0)
    const wal = openWalBuffer(from, system.segmentBytes, sentAt)
    const onData = (start: Lsn, bytes: Buffer) => {
      wal.append(start, bytes)
      if (wal.bufferedBytes() > maxBufferedBytes) connection.pause(true)
    }
    const ended = connection.receive({ slot, timeline: archive.timeline, from, onData })
    ended.catch(() => {})
    const { epoch } = archive
    await Promise.race([ended, archiveLoop({ platform, connection, wal, session, epoch, signal, onReceived })])
  } catch (error) {
    if (walLostCodes.includes(codeOf(error))) await platform.database.transaction((db) => store.endArchive(db))
    throw error
  }
}

/** Returns the active archive, or a new one if the server is another one or its slot was dropped. */
async function archiveOf(platform: Platform, connection: Replication, system: System, slot: string) {
  const active = await store.activeArchive(platform.database)
  const hasSlot = await connection.hasSlot(slot)
  const isSame = active?.system === system.system && active.timeline === system.timeline
  if (active && isSame && hasSlot) return active
  if (hasSlot) await connection.dropSlot(slot) // refused while another node receives
  await connection.createSlot(slot)
  return platform.database.transaction((db) => store.beginArchive(db, system, platform.clock.now()))
}

interface ArchiveLoopOptions {
  readonly platform: Platform
  readonly connection: Replication
  readonly wal: ReturnType<typeof openWalBuffer>
  readonly session: HostSession
  readonly epoch: number
  readonly signal: AbortSignal
  /** Called when the archive has caught up with the server. */
  readonly onReceived: () => void
}

/** Every second, archives received WAL and advances the recoverable time. Returns when the archive has ended. */
async function archiveLoop(options: ArchiveLoopOptions): Promise<void> {
  const { platform, connection, wal, session, epoch, signal, onReceived } = options
  const { database, cellVault } = platform
  const key = archiveKeyOf(cellVault)
  const { shared } = platform.blobsOf(serviceName, '')
  let watermark: Watermark | undefined
  let archivedUntil = wal.end()
  let advancedAt = 0

  async function archive({ start, bytes, sentAt, onArchived }: PendingWal): Promise<boolean> {
    const walChunk = { id: randomUUID(), start, end: start + BigInt(bytes.length), sentAt }
    const name = walChunkKey(epoch, walChunk.id)
    await shared.put(name, await sealBytes(key, name, bytes))
    const replaced = await platform.database.transaction((db) => store.addChunk(db, epoch, walChunk))
    if (replaced === false) return false
    onArchived()
    archivedUntil = walChunk.end
    for (const { id } of replaced) await shared.delete(walChunkKey(epoch, id))
    return true
  }

  while (!signal.aborted) {
    watermark ??= await readWatermark(session)
    let hasNew = false
    for (let pending = wal.pending(); pending; pending = wal.pending()) {
      if (!(await archive(pending))) return
      connection.confirm(archivedUntil)
      hasNew = true
    }
    connection.pause(false)
    if (archivedUntil >= watermark.end) {
      onReceived()
      const { at } = watermark
      const isDue = hasNew || performance.now() - advancedAt >= idleMs
      if (isDue && !(await database.transaction((db) => store.setCoveredUntil(db, epoch, at)))) return
      if (isDue) advancedAt = performance.now()
      wal.advance(watermark)
      watermark = undefined
    }
    await sleep(archiveEveryMs, undefined, { signal }).catch(() => {})
  }
}
