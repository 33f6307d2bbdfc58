import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Platform, ReadingDb } from '@icosa/kernel'
import { installation } from '../databases/store.ts'
import { serviceName } from '../names.ts'
import { type Mark, markOf } from './host-store.ts'
import { type Lsn, segmentOf } from './lsn.ts'
import { openReplication, type Replication, type System } from './replication.ts'
import { archiveKeyOf, sealBytes } from './sealing.ts'
import { receivedSegments, type Unkept } from './segments.ts'
import { type HostSession, openSession } from './session.ts'
import * as store from './store.ts'

/** Receives the log of the SQL host and keeps it, on one node of the cell: PostgreSQL gives a slot to one at a time. */
export interface Receiver {
  /** Begins, unless it runs here already. If another node has the slot, nothing comes of it. */
  ensure(): void
  /** Why nothing is received here, if that is so. */
  problem(): string | undefined
  stop(): Promise<void>
}

export const pieceKey = (epoch: number, id: string) => `archive/${epoch}/log/${id}`

/** How far the archive is behind the server, about. */
const everyMs = 1_000
/** How long a server on which nothing happens may look as if it were not archived. */
const idleMs = 5_000
/** What is not kept by then has to wait in the server. */
const mostWaiting = 64 * 1024 ** 2

export const slotOf = async (db: ReadingDb) => `${(await installation(db)).prefix}archive`

export function startReceiver(platform: Platform, url: string): Receiver {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let problem: string | undefined
  return {
    ensure() {
      if (running || stopping.signal.aborted) return
      const solved = () => {
        problem = undefined
      }
      running = receive(platform, url, stopping.signal, solved)
        .catch((err: Error) => {
          if (isElsewhere(err)) solved()
          if (isElsewhere(err) || stopping.signal.aborted) return
          problem = err.message
          platform.log.warn({ err }, 'the log of the SQL host is not received')
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

const isElsewhere = (error: unknown) => codeOf(error) === objectInUse
const objectInUse = '55006'
/** What we have not read in time is gone: of the file, or of the slot as a whole. */
const goneCodes: readonly unknown[] = ['58P01', '55000']
const codeOf = (error: unknown) => (error as { readonly code?: unknown } | undefined)?.code

async function receive(platform: Platform, url: string, signal: AbortSignal, onReceived: () => void): Promise<void> {
  using connection = await openReplication(url)
  await using session = await openSession({ connectionString: url })
  try {
    const system = await connection.identify()
    const slot = await slotOf(platform.database)
    const archive = await archiveOf(platform, connection, system, slot)
    const reached = (await store.endOf(platform.database, archive.epoch)) ?? system.position
    const from = segmentOf(reached, system.segmentBytes)
    const sentAt = (await store.sentAt(platform.database, archive.epoch, from)) ?? new Date(0)
    const segments = receivedSegments(from, system.segmentBytes, sentAt)
    const onData = (start: Lsn, bytes: Buffer) => {
      segments.add(start, bytes)
      if (segments.waiting() > mostWaiting) connection.pause(true)
    }
    const ended = connection.receive({ slot, timeline: archive.timeline, from, onData })
    ended.catch(() => {})
    const { epoch } = archive
    await Promise.race([ended, keeping({ platform, connection, segments, session, epoch, signal, onReceived })])
  } catch (error) {
    if (goneCodes.includes(codeOf(error))) await platform.database.transaction((db) => store.endArchive(db))
    throw error
  }
}

/** The archive that goes on, or a new one where the server is another one or has forgotten what we have not read. */
async function archiveOf(platform: Platform, connection: Replication, system: System, slot: string) {
  const before = await store.live(platform.database)
  const hasSlot = await connection.hasSlot(slot)
  const isSame = before?.system === system.system && before.timeline === system.timeline
  if (before && isSame && hasSlot) return before
  if (hasSlot) await connection.dropSlot(slot) // refused while another node receives
  await connection.createSlot(slot)
  return platform.database.transaction((db) => store.beginArchive(db, system, platform.clock.now()))
}

interface Keeping {
  readonly platform: Platform
  readonly connection: Replication
  readonly segments: ReturnType<typeof receivedSegments>
  readonly session: HostSession
  readonly epoch: number
  readonly signal: AbortSignal
  /** All that the server had written has arrived. */
  readonly onReceived: () => void
}

/** Every second: keeps what has arrived, and notes until when all of it has. Ends when nobody needs the archive any more. */
async function keeping({ platform, connection, segments, session, epoch, signal, onReceived }: Keeping): Promise<void> {
  const { database, vault } = platform
  const key = archiveKeyOf(vault)
  const { shared } = platform.blobsOf(serviceName, '')
  let mark: Mark | undefined
  let kept = segments.end()
  let notedAt = 0

  async function keep({ start, bytes, sentAt, done }: Unkept): Promise<boolean> {
    const piece = { id: randomUUID(), start, end: start + BigInt(bytes.length), sentAt }
    const name = pieceKey(epoch, piece.id)
    await shared.put(name, await sealBytes(key, name, bytes))
    const replaced = await platform.database.transaction((db) => store.addPiece(db, epoch, piece))
    if (replaced === false) return false
    done()
    kept = piece.end
    for (const { id } of replaced) await shared.delete(pieceKey(epoch, id))
    return true
  }

  while (!signal.aborted) {
    mark ??= await markOf(session)
    let isNew = false
    for (let next = segments.next(); next; next = segments.next()) {
      if (!(await keep(next))) return
      connection.confirm(kept)
      isNew = true
    }
    connection.pause(false)
    if (kept >= mark.end) {
      onReceived()
      const { at } = mark
      const isDue = isNew || performance.now() - notedAt >= idleMs
      if (isDue && !(await database.transaction((db) => store.setCovered(db, epoch, at)))) return
      if (isDue) notedAt = performance.now()
      segments.marked(mark)
      mark = undefined
    }
    await sleep(everyMs, undefined, { signal }).catch(() => {})
  }
}
