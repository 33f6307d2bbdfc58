import { connect, type IpcNetConnectOpts, type TcpNetConnectOpts } from 'node:net'
import { Readable } from 'node:stream'
import { MessageChannel, Worker } from 'node:worker_threads'
import { Failure } from '@icosa/kernel'
import type { DumpThreadData, DumpThreadResult } from './carried-thread.ts'
import { conversationOn } from './conversation.ts'

/**
 * PostgreSQL's own pg_dump compiled to WebAssembly, for the server of development mode, which comes without programs. It
 * writes a script of INSERT statements into memory.
 */
export const carried = {
  major: 18,
  /** The last tested minor version. */
  lastMinor: 4,
  /** Larger scripts take too much memory. */
  maxBytes: 256 * 1024 ** 2,
} as const

/** The package drops lines with these words, wherever they are. */
const droppedLines = /\\(un)?restrict\b/i

/** The database has the name of its user. */
export interface CarriedSignIn {
  readonly address: TcpNetConnectOpts | IpcNetConnectOpts
  readonly user: string
  readonly password: string
}

/** Streams the script once it is complete. */
export function carriedDump(signIn: CarriedSignIn, signal: AbortSignal): Readable {
  return Readable.from(
    (async function* () {
      yield await scriptOf(signIn, signal)
    })(),
    { objectMode: false },
  )
}

async function scriptOf({ address, user, password }: CarriedSignIn, signal: AbortSignal): Promise<Uint8Array> {
  signal.throwIfAborted()
  // Requests go through our socket: the address only lets it start.
  const url = Object.assign(new URL(`postgres://${user}@127.0.0.1/${user}`), { password: encodeURIComponent(password) })
  const socket = connect(address)
  socket.setNoDelay(true)
  const broken = new Promise<never>((_, reject) => socket.once('error', reject))
  const { port1: thread, port2: server } = new MessageChannel()
  const arrived = new Int32Array(new SharedArrayBuffer(4))
  const args = ['--no-owner', '--no-privileges', '--no-password', `--dbname=${url}`]
  const worker = new Worker(new URL('./carried-thread.ts', import.meta.url), {
    workerData: { args, server, arrived } satisfies DumpThreadData,
    transferList: [server],
    execArgv: [],
    env: {},
  })
  const { ask } = conversationOn(socket)
  let dropsLines = false
  thread.on('message', async (request: Uint8Array) => {
    const reply = await ask(request)
    dropsLines ||= droppedLines.test(reply.toString('latin1'))
    thread.postMessage(new Uint8Array(reply))
    Atomics.store(arrived, 0, 1)
    Atomics.notify(arrived, 0)
  })
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    const result = await Promise.race([resultOf(worker), broken, aborted.promise])
    if ('error' in result) throw new Failure('unavailable', `pg_dump failed: ${result.error}`)
    if (dropsLines)
      throw new Failure(
        'unavailable',
        `The database contains \\restrict, which the pg_dump bundled with Icosa would drop. ${remedyFor(carried.major)}`,
      )
    return result.script
  } finally {
    signal.removeEventListener('abort', abort)
    socket.destroy()
    thread.close()
    await worker.terminate()
  }
}

const resultOf = (worker: Worker) =>
  new Promise<DumpThreadResult>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) =>
      reject(new Failure('unavailable', `pg_dump exited with code ${code} and without a result.`)),
    )
  })

export const remedyFor = (major: number) =>
  `Install the programs of PostgreSQL ${major} or newer (Debian: postgresql-client, macOS: brew install libpq), or set ICOSA_SQL_PROGRAMS to their folder.`
