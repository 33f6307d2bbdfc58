import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage, request } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { BlobStore } from '@icosa/blobs'
import { client } from '@icosa/client'
import { createKey, openDatabase, systemClock } from '@icosa/kernel'
import { children, createTestDatabase, example } from '@icosa/testing'
import { notes } from '../../packages/testing/src/example/notes/contract.ts'

export const mebibyte = 1024 * 1024
/** Size of a first transfer, after which a node's buffers are allocated, whatever the size of a file. */
const firstSize = 32 * mebibyte

/** Content without repetition that costs nothing to generate. */
function* pieces(size: number): Generator<Buffer> {
  const piece = Buffer.alloc(mebibyte, 'bytes of no meaning ')
  for (let at = 0; at < size; at += piece.length) {
    piece.writeDoubleLE(at, at % 1024)
    yield Buffer.from(piece)
  }
}

/** Resident memory of a process. */
const residentBytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

function watch(pid: number) {
  const before = residentBytes(pid)
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes(pid))
  }, 20)
  return { growth: () => peak - before, before, [Symbol.dispose]: () => clearInterval(timer) }
}

async function send(url: string, headers: Record<string, string>, size: number): Promise<string> {
  const hash = createHash('sha256')
  const sent = request(url, { method: 'PUT', headers: { ...headers, 'content-length': String(size) } })
  const answered = once(sent, 'response')
  for (const piece of pieces(size)) {
    hash.update(piece)
    if (!sent.write(piece)) await Promise.race([once(sent, 'drain'), answered])
    await setImmediate()
  }
  sent.end()
  const [response] = (await answered) as [IncomingMessage]
  if (response.statusCode !== 204) throw new Error(`The upload was answered with ${response.statusCode}.`)
  return hash.digest('hex')
}

async function receive(url: string, headers: Record<string, string>) {
  const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage]
  const hash = createHash('sha256')
  let received = 0
  for await (const piece of response) {
    hash.update(piece)
    received += piece.length
  }
  return { received, digest: hash.digest('hex'), status: response.statusCode }
}

/** Uploads a file through an operation of a node into a store, downloads it, and measures the node's memory. */
export async function transfer(store: BlobStore, size: number) {
  await using database = await createTestDatabase([example])
  await using processes = children()
  const options = JSON.stringify({ databaseUrl: database.url, store })
  const child = processes.add(fork(new URL('./node.ts', import.meta.url), [options]))
  const [baseUrl] = (await once(child, 'message')) as [string]
  const db = openDatabase({ url: database.url, maxConnections: 1, onError: () => {} })
  const { key } = await createKey(db, systemClock, { tenant: 'large', name: 'test', permissions: ['*'] })
  await db.close()
  const headers = { 'x-api-key': key }
  const writer = client(notes, { baseUrl: `${baseUrl}/example`, headers })
  const { body: note } = await writer.createNote({ body: { title: 'Large', text: '' } })
  const url = `${baseUrl}/example/notes/${note.id}/attachment`

  const typed = { ...headers, 'content-type': 'application/octet-stream' }
  using sinceBoot = watch(child.pid as number)
  await send(url, typed, firstSize)
  await receive(url, headers)
  using memory = watch(child.pid as number)
  const started = performance.now()
  const digest = await send(url, typed, size)
  const sent = performance.now()
  const download = await receive(url, headers)
  const downSeconds = (performance.now() - sent) / 1_000
  await writer.deleteNote({ params: { noteId: note.id } })
  return {
    digest,
    download,
    upSeconds: (sent - started) / 1_000,
    downSeconds,
    idleBytes: sinceBoot.before,
    growthBytes: memory.growth(),
    growthSinceBootBytes: sinceBoot.growth(),
  }
}
