import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cell, readingOf, startCell } from '../../services/event-detection/src/testing/load.ts'
import { steady } from '../../services/event-detection/src/testing/models.ts'
import { median } from '../figures.ts'
import { overHttp } from './over-http.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const goal = 0.45
const keys = 100_000
const inRequest = 100
const requests = 2_000
const senders = 32
const rowsCopied = 300_000

/** Messages kept a second, with an error in every request, against rows that psql copies into a table without any index. */
export async function ingestion(): Promise<boolean> {
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
    const kept = await timeIngestion(cell, bodies)
    await database.script('truncate plain, event_detection.mailbox')
    if (round > 0) samples.push({ copied, kept }) // the first warms up
  }
  const ratio = median(samples.map(({ copied, kept }) => kept / copied))
  const rate = median(samples.map(({ kept }) => kept))
  const { sent, bare } = await acknowledgements(cell, bodies, rate / 2)
  await database.script('truncate event_detection.mailbox')
  const http = await overHttp(cell, bodies.slice(0, 300))
  rmSync(folder, { recursive: true })

  console.log(
    `\nmessages kept, ${inRequest} in a request, one of them wrong, ${senders} requests at once, median of rounds\n`,
  )
  console.log(`COPY alone                ${shown(median(samples.map(({ copied }) => copied)))} rows/s`)
  console.log(`ingestion                 ${shown(rate)} messages/s`)
  console.log(`ingestion over HTTP       ${shown(http)} messages/s, signed, client and server on one machine`)
  console.log(`acknowledged at half rate ${sent}`)
  console.log(`one bare row meanwhile    ${bare}`)
  console.log(`\nratio ${ratio.toFixed(2)}, goal ${goal}`)
  return ratio >= goal
}

const shown = (rate: number) => rate.toFixed(0).padStart(9)

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

/** How long a sender waits when so many messages come in a second, at even intervals, and whoever writes one bare row. */
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
  return { sent: shownWaits(sent), bare: shownWaits(bare) }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function shownWaits(waits: readonly number[]): string {
  const sorted = waits.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
}
