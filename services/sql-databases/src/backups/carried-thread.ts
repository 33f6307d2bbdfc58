/** Runs pg_dump compiled to WebAssembly. It blocks on reads and writes, so it has its own thread. */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { pgDump } from '@electric-sql/pglite-tools/pg_dump'

export interface DumpThreadData {
  readonly args: readonly string[]
  /** Takes requests to the server, and returns whole replies. */
  readonly server: MessagePort
  /** 1 as soon as a reply has arrived. */
  readonly arrived: Int32Array<SharedArrayBuffer>
}

export type DumpThreadResult = { readonly script: Uint8Array<ArrayBuffer> } | { readonly error: string }

const { args, server, arrived }: DumpThreadData = workerData

/** The package expects a database in this process: it passes each request of libpq, and expects the reply synchronously. */
const connection = {
  query: async () => ({ rows: [{ search_path: '' }] }), // the session ends with the dump
  exec: async () => {},
  execProtocolRawStream(request: Uint8Array, { onRawData }: { onRawData: (reply: Uint8Array) => void }) {
    Atomics.store(arrived, 0, 0)
    server.postMessage(request.slice())
    Atomics.wait(arrived, 0, 0)
    const reply: Uint8Array = receiveMessageOnPort(server)?.message ?? new Uint8Array()
    if (reply.length > 0) onRawData(reply)
  },
}

const answer = (result: DumpThreadResult) =>
  parentPort?.postMessage(result, 'script' in result ? [result.script.buffer] : [])

try {
  const file = await pgDump({ pg: connection as unknown as Parameters<typeof pgDump>[0]['pg'], args: [...args] })
  answer({ script: new Uint8Array(await file.arrayBuffer()) })
} catch (error) {
  answer({ error: error instanceof Error ? error.message : String(error) })
}
