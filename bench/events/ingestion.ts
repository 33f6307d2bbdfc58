import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { client } from '@icosa/client'
import { messages } from '@icosa/event-detection/contract'
import { credentialsFor } from '@icosa/testing'
import type { message } from '../../services/event-detection/src/testing/app.ts'
import { type Cell, readingOf, startCell } from '../../services/event-detection/src/testing/load.ts'
import { steady } from '../../services/event-detection/src/testing/models.ts'
import { type Figure, latencies, median, quantile } from '../figures.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const goal = 0.45
const keys = 100_000
const inRequest = 100
const requests = 2_000
const senders = 32
const rowsCopied = 300_000

/** Messages stored per second, with one error per request, compared with rows that psql copies into a table without indexes. */
export async function ingestion(): Promise<Figure[]> {
  await using cell = await startCell(steady)
  const { database } = cell.app.platform
  await database.script(`
    create table plain (id bigint generated always as identity, k text not null, ts timestamptz not null default now(),
      v jsonb not null)`)
  const folder = mkdtempSync(join(tmpdir(), 'icosa-bench-'))
  const file = join(folder, 'rows.tsv')
  writeFileSync(file, copiedRows())
  const bodies = Array.from({ length: requests }, (_, request) => batchOf(request))
  const samples: { copied: number; kept: number }[] = []
  for (let round = 0; round <= rounds; round++) {
    const copied = timeCopy(cell.app.databaseUrl, file)
    const keepAlive = await timeIngestion(cell, bodies)
    await database.script('truncate plain, event_detection.mailbox')
    if (round > 0) samples.push({ copied, kept: keepAlive }) // the first round warms up
  }
  const ratio = median(samples.map(({ copied, kept: keepAlive }) => keepAlive / copied))
  const rate = median(samples.map(({ kept: keepAlive }) => keepAlive))
  const { sent, bare } = await acknowledgements(cell, bodies, rate / 2)
  await database.script('truncate event_detection.mailbox')
  const http = await overHttp(cell, bodies.slice(0, 300))
  rmSync(folder, { recursive: true })

  const copied = median(samples.map((sample) => sample.copied))
  return [
    { name: 'messages stored', value: ratio, unit: '×', comparedWith: '`COPY` alone', goal: { atLeast: goal } },
    { name: `messages stored, ${inRequest} in a request`, value: rate, unit: '/s' },
    { name: 'messages stored over HTTP, signed, client included', value: http, unit: '/s' },
    { name: 'rows by `COPY` alone', value: copied, unit: '/s' },
    ...latencies('acknowledgement at half that rate', waitsOf(sent)),
    ...latencies('bare insert of one row meanwhile', waitsOf(bare)),
  ]
}

const readingText = (index: number) =>
  JSON.stringify({ sensor: `k${index % keys}`, value: index % 100, place: { floor: 3 } })

const copiedRows = () =>
  Array.from({ length: rowsCopied }, (_, index) => `k${index % keys}\t${readingText(index)}\n`).join('')

function batchOf(request: number) {
  const messages = Array.from({ length: inRequest }, (_, index) =>
    readingOf(index, `k${(request * inRequest + index) % keys}`),
  )
  messages[7] = { messageId: 'wrong', inputName: 'Reading', payload: Buffer.from('not json').toString('base64') }
  return messages
}

type Bodies = readonly ReturnType<typeof batchOf>[]

function timeCopy(url: string, file: string): number {
  const began = performance.now()
  execFileSync('psql', [url, '-qc', `\\copy plain (k, v) from '${file}'`])
  return (rowsCopied * 1000) / (performance.now() - began)
}

async function timeIngestion({ ingest }: Cell, bodies: Bodies): Promise<number> {
  let next = 0
  let wrong = 0
  const began = performance.now()
  const sender = async () => {
    for (let body = bodies[next++]; body; body = bodies[next++]) {
      const errors = await ingest('acme', body)
      wrong += errors.length
    }
  }
  await Promise.all(Array.from({ length: senders }, sender))
  if (wrong !== bodies.length) throw new Error(`${wrong} of ${bodies.length} mistakes were found`)
  return (bodies.length * inRequest * 1000) / (performance.now() - began)
}

/** Latency of a sender at a steady rate of messages, compared with that of inserting one bare row. */
async function acknowledgements({ app, ingest }: Cell, bodies: Bodies, rate: number) {
  const { database } = app.platform
  const everyMs = (inRequest * 1000) / rate
  const sent: number[] = []
  const bare: number[] = []
  const began = performance.now()
  let isOver = false
  const writing = (async () => {
    for (; !isOver; await sleep(20))
      bare.push(await timed(() => database.script("insert into plain (k, v) values ('k', '1')")))
  })()
  const sending = bodies.map(async (body, index) => {
    await sleep(Math.max(0, began + index * everyMs - performance.now()))
    sent.push(await timed(() => ingest('acme', body)))
  })
  await Promise.all(sending)
  isOver = true
  await writing
  return { sent, bare }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const waitsOf = (waits: readonly number[]) => ({ p50: median(waits), p99: quantile(waits, 0.99) })

/** Messages per second by signed requests, 16 at once. Client and server share the process. */
async function overHttp({ app, service }: Cell, bodies: readonly (readonly ReturnType<typeof message>[])[]) {
  const calls = client(messages, await credentialsFor(app, service, 'acme'))
  let next = 0
  let sent = 0
  const began = performance.now()
  const sender = async () => {
    for (let body = bodies[next++]; body; body = bodies[next++]) {
      await calls.BatchPutMessage({ body: { messages: [...body] } })
      sent += body.length
    }
  }
  await Promise.all(Array.from({ length: 16 }, sender))
  return (sent * 1000) / (performance.now() - began)
}
