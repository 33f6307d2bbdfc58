import { PassThrough, type Readable } from 'node:stream'
import { Failure } from '@icosa/kernel'
import pg from 'pg'
import { fromLsn, type Lsn, readSize, toLsn } from './lsn.ts'

/** PostgreSQL's replication protocol, as far as an archive needs it. */
export interface Replication extends Disposable {
  identify(): Promise<System>
  hasSlot(name: string): Promise<boolean>
  /** With it the server keeps its log until we have said that we have it. */
  createSlot(name: string): Promise<void>
  dropSlot(name: string): Promise<void>
  /** Sends the log from there on until the connection ends, which is how it always ends: it only ever rejects. */
  receive(from: ReceiveOptions): Promise<never>
  /** What is on the disk of whoever receives: the server may forget it. */
  confirm(lsn: Lsn): void
  pause(isPaused: boolean): void
  /** All of the server as a tar file, while it is written to: the log makes it one of one moment. */
  copy(): Promise<ServerCopy>
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

export interface ServerCopy {
  readonly start: Lsn
  readonly content: Readable
}

/** The parts of the driver's connection that it does not document. */
interface Wire {
  readonly stream: { pause(): void; resume(): void; destroy(): void }
  sendCopyFromChunk(chunk: Buffer): void
}

interface Message {
  readonly chunk: Buffer
}

const unreachable = 'The SQL host could not be reached for its log: ask the operator to check ICOSA_SQL_ARCHIVE_URL.'

export async function openReplication(url: string): Promise<Replication> {
  const config = { connectionString: url, replication: 'true', application_name: 'icosa archive', keepAlive: true }
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 10_000 } as pg.ClientConfig)
  client.on('error', () => {}) // whoever waits for a reply fails with it
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
        segmentBytes: readSize(String(size)),
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
      const take = (message: Buffer) => {
        if (message[0] === letter('w')) {
          const start = message.readBigUInt64BE(1)
          const bytes = message.subarray(25)
          received = start + BigInt(bytes.length)
          onData(start, bytes)
        } else if (message[0] === letter('k') && message[17] === 1) wire.sendCopyFromChunk(status(received, confirmed))
      }
      const command = `START_REPLICATION SLOT ${slot} PHYSICAL ${fromLsn(from)} TIMELINE ${timeline}`
      return new Promise((_, reject) => {
        const ended = () => reject(new Failure('unavailable', 'The SQL host has stopped sending its log.'))
        client.query<pg.Submittable>(copying(command, { take, ended, failed: reject }))
        client.once('end', ended)
      })
    },
    confirm(lsn) {
      confirmed = lsn
      wire.sendCopyFromChunk(status(received, confirmed))
    },
    pause(isPaused) {
      if (isPaused) wire.stream.pause()
      else wire.stream.resume()
    },
    copy: () => copyOf(client, wire),
    [Symbol.dispose]: () => wire.stream.destroy(),
  }
}

const letter = (text: string) => text.charCodeAt(0)

/** We have received so much, and so much of it is safe. */
function status(received: Lsn, confirmed: Lsn): Buffer {
  const message = Buffer.alloc(34)
  message[0] = letter('r')
  for (const [index, lsn] of [received, confirmed, confirmed].entries()) message.writeBigUInt64BE(lsn, 1 + index * 8)
  return message
}

interface Copying {
  take(message: Buffer): void
  ended(): void
  failed(error: Error): void
  row?(fields: readonly (Buffer | null)[]): void
}

/** A command whose reply is a stream, in the form in which the driver takes commands that it does not know. */
const copying = (command: string, { take, ended, failed, row }: Copying) => ({
  submit: (wire: pg.Connection) => wire.query(command),
  handleRowDescription() {},
  handleDataRow: ({ fields }: { fields: readonly (Buffer | null)[] }) => row?.(fields),
  handlePortalSuspended() {},
  handleCommandComplete() {},
  handleCopyData: ({ chunk }: Message) => take(chunk),
  handleReadyForQuery: ended,
  handleError: failed,
})

const options = `LABEL 'icosa', CHECKPOINT 'fast', WAL false, WAIT false, MANIFEST 'no'`

function copyOf(client: pg.Client, wire: Wire): Promise<ServerCopy> {
  const content = new PassThrough({ highWaterMark: 4 * 1024 ** 2 })
  content.on('drain', () => wire.stream.resume())
  content.once('close', () => wire.stream.destroy())
  let archives = 0
  return new Promise((resolve, reject) => {
    let start: Lsn | undefined
    const failed = (error: Error) => {
      if (content.writableEnded) return
      content.destroy(error)
      reject(error)
    }
    const take = (message: Buffer) => {
      if (message[0] === letter('n') && ++archives > 1)
        failed(new Failure('conflict', 'The SQL host has tablespaces of its own, which are not archived: drop them.'))
      if (message[0] === letter('d') && !content.write(Buffer.from(message.subarray(1)))) wire.stream.pause()
    }
    const row = ([first]: readonly (Buffer | null)[]) => {
      if (start !== undefined) return // of the tablespaces, and of the end
      start = toLsn(String(first))
      resolve({ start, content })
    }
    client.query<pg.Submittable>(copying(`BASE_BACKUP (${options})`, { take, row, failed, ended: () => content.end() }))
    client.once('end', () => failed(new Failure('unavailable', 'The SQL host has stopped sending its copy.')))
  })
}
