/** Runs the pg_dump that comes as WebAssembly. It reads and writes without waiting for promises, so it has a thread. */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { pgDump } from '@electric-sql/pglite-tools/pg_dump'

export interface DumpThreadData {
  readonly args: readonly string[]
  /** Requests to the server go there, and whole replies come from there. */
  readonly server: MessagePort
  /** 1 as soon as a reply lies there. */
  readonly arrived: Int32Array<SharedArrayBuffer>
}

export type DumpThreadResult = { readonly script: Uint8Array<ArrayBuffer> } | { readonly complaint: string }

const { args, server, arrived }: DumpThreadData = workerData

/** What the package takes for a database inside this process: it says every request of libpq, and wants its reply at once. */
const connection = {
  query: async () => ({ rows: [{ search_path: '' }] }), // of a session that ends with the dump
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
  answer({ complaint: error instanceof Error ? error.message : String(error) })
}
