import { PassThrough, type Readable } from 'node:stream'
import { Failure } from '@icosa/kernel'
import pg from 'pg'
import { fromLsn, type Lsn, parseSize, toLsn } from './lsn.ts'

/** Client of PostgreSQL's streaming replication protocol, as far as a WAL archive needs it. */
export interface Replication extends Disposable {
  identify(): Promise<System>
  hasSlot(name: string): Promise<boolean>
  /** A replication slot makes the server retain WAL until it is confirmed. */
  createSlot(name: string): Promise<void>
  dropSlot(name: string): Promise<void>
  /** Streams WAL until the connection ends; it only ever rejects. */
  receive(from: ReceiveOptions): Promise<never>
  /** Confirms WAL up to an LSN as flushed: the server may recycle it. */
  confirm(lsn: Lsn): void
  pause(isPaused: boolean): void
  /** Takes a base backup as a tar file; replaying WAL makes it consistent. */
  baseBackup(): Promise<BaseBackupStream>
}

export interface System {
  readonly system: string
  readonly timeline: number
  readonly position: Lsn
  readonly segmentBytes: number
}

export interface ReceiveOptions {
  readonly slot: string
  readonly timeline: number
  readonly from: Lsn
  onData(start: Lsn, bytes: Buffer): void
}

export interface BaseBackupStream {
  readonly start: Lsn
  readonly content: Readable
}

/** Undocumented parts of the driver's connection. */
interface Wire {
  readonly stream: { pause(): void; resume(): void; destroy(): void }
  sendCopyFromChunk(chunk: Buffer): void
}

interface Message {
  readonly chunk: Buffer
}

const unreachable =
  'The SQL host could not be reached for replication: ask the operator to check ICOSA_SQL_ARCHIVE_URL.'

export async function openReplication(url: string): Promise<Replication> {
  const config = { connectionString: url, replication: 'true', application_name: 'icosa archive', keepAlive: true }
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 10_000 } as pg.ClientConfig)
  client.on('error', () => {}) // pending queries reject with it
  await client.connect().catch((cause: Error) => {
    throw new Failure('unavailable', `${unreachable} ${cause.message}`, { cause })
  })
  const wire = (client as unknown as { readonly connection: Wire }).connection
  const row = async (command: string) => (await client.query(command)).rows[0] as Record<string, string | null>
  let received = 0n
  let confirmed = 0n

  return {
    async identify() {
      const { systemid, timeline, xlogpos } = await row('IDENTIFY_SYSTEM')
      const { wal_segment_size: size } = await row('SHOW wal_segment_size')
      return {
        system: String(systemid),
        timeline: Number(timeline),
        position: toLsn(String(xlogpos)),
        segmentBytes: parseSize(String(size)),
      }
    },
    hasSlot: async (name) => (await row(`READ_REPLICATION_SLOT ${name}`)).slot_type !== null,
    async createSlot(name) {
      await client.query(`CREATE_REPLICATION_SLOT ${name} PHYSICAL RESERVE_WAL`)
    },
    async dropSlot(name) {
      await client.query(`DROP_REPLICATION_SLOT ${name}`)
    },
    receive({ slot, timeline, from, onData }) {
      received = confirmed = from
      const onMessage = (message: Buffer) => {
        if (message[0] === messageType.walData) {
          const start = message.readBigUInt64BE(1)
          const bytes = message.subarray(25)
          received = start + BigInt(bytes.length)
          onData(start, bytes)
        } else if (message[0] === messageType.keepalive && message[17] === 1)
          wire.sendCopyFromChunk(standbyStatus(received, confirmed))
      }
      const command = `START_REPLICATION SLOT ${slot} PHYSICAL ${fromLsn(from)} TIMELINE ${timeline}`
      return new Promise((_, reject) => {
        const onEnd = () => reject(new Failure('unavailable', 'The SQL host has stopped sending WAL.'))
        client.query<pg.Submittable>(copyQuery(command, { onMessage, onEnd, onError: reject }))
        client.once('end', onEnd)
      })
    },
    confirm(lsn) {
      confirmed = lsn
      wire.sendCopyFromChunk(standbyStatus(received, confirmed))
    },
    pause(isPaused) {
      if (isPaused) wire.stream.pause()
      else wire.stream.resume()
    },
    baseBackup: () => baseBackupOf(client, wire),
    [Symbol.dispose]: () => wire.stream.destroy(),
  }
}

/** First bytes of messages, as in the protocol's documentation. */
const messageType = {
  walData: byteOf('w'),
  keepalive: byteOf('k'),
  standbyStatus: byteOf('r'),
  newArchive: byteOf('n'),
  archiveData: byteOf('d'),
}

function byteOf(letter: string): number {
  return letter.charCodeAt(0)
}

/** Standby status update: WAL received, flushed and applied. */
function standbyStatus(received: Lsn, confirmed: Lsn): Buffer {
  const message = Buffer.alloc(34)
  message[0] = messageType.standbyStatus
  for (const [index, lsn] of [received, confirmed, confirmed].entries()) message.writeBigUInt64BE(lsn, 1 + index * 8)
  return message
}

interface CopyHandlers {
  onMessage(message: Buffer): void
  onEnd(): void
  onError(error: Error): void
  onRow?(fields: readonly (Buffer | null)[]): void
}

/** A command with a CopyData stream as its reply, as a custom query of the driver. */
const copyQuery = (command: string, { onMessage, onEnd, onError, onRow }: CopyHandlers) => ({
  submit: (wire: pg.Connection) => wire.query(command),
  handleRowDescription() {},
  handleDataRow: ({ fields }: { fields: readonly (Buffer | null)[] }) => onRow?.(fields),
  handlePortalSuspended() {},
  handleCommandComplete() {},
  handleCopyData: ({ chunk }: Message) => onMessage(chunk),
  handleReadyForQuery: onEnd,
  handleError: onError,
})

const options = `LABEL 'icosa', CHECKPOINT 'fast', WAL false, WAIT false, MANIFEST 'no'`

function baseBackupOf(client: pg.Client, wire: Wire): Promise<BaseBackupStream> {
  const content = new PassThrough({ highWaterMark: 4 * 1024 ** 2 })
  content.on('drain', () => wire.stream.resume())
  content.once('close', () => wire.stream.destroy())
  let archives = 0
  return new Promise((resolve, reject) => {
    let start: Lsn | undefined
    const onError = (error: Error) => {
      if (content.writableEnded) return
      content.destroy(error)
      reject(error)
    }
    const onMessage = (message: Buffer) => {
      if (message[0] === messageType.newArchive && ++archives > 1)
        onError(new Failure('conflict', 'The SQL host has custom tablespaces, which cannot be archived: drop them.'))
      if (message[0] === messageType.archiveData && !content.write(Buffer.from(message.subarray(1))))
        wire.stream.pause()
    }
    const onRow = ([first]: readonly (Buffer | null)[]) => {
      if (start !== undefined) return // later rows list tablespaces and the end LSN
      start = toLsn(String(first))
      resolve({ start, content })
    }
    const handlers = { onMessage, onRow, onError, onEnd: () => content.end() }
    client.query<pg.Submittable>(copyQuery(`BASE_BACKUP (${options})`, handlers))
    client.once('end', () => onError(new Failure('unavailable', 'The SQL host has stopped sending the base backup.')))
  })
}
