import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { client } from '@icosa/client'
import { openDatabase, sql } from '@icosa/kernel'
import { type DatabaseProxy, sized, startProxy } from '@icosa/testing'
import { expect, test } from 'vitest'
import { notes } from '../../packages/testing/src/example/notes/contract.ts'
import { startOperations } from './operations.ts'
import { ownPostgres } from './own-postgres.ts'
import { type Cell, openCell, type Process } from './processes.ts'

const outageMs = sized(8_000, 60_000)
const drainMs = 1_000
const writers = 16

/** A node with a database proxy of its own, which counts its connection attempts. */
interface Watched extends Process {
  readonly name: string
  readonly proxy: DatabaseProxy
}

async function start(cell: Cell, name: string, roles: { api?: boolean; worker?: boolean }): Promise<Watched> {
  const proxy = await startProxy(cell.databaseUrl)
  const node = await cell.start({ ...roles, databaseUrl: proxy.url, drainMs, logLevel: 'info' })
  return { ...node, name, proxy }
}

const openFiles = ({ child }: Process) => readdirSync(`/proc/${child.pid}/fd`).length
const isOwnLine = (line: string) => !line.includes('"msg":"request"')

/** Stops a node by SIGTERM and returns the milliseconds until it exits. */
async function terminate({ child }: Process): Promise<number> {
  const began = performance.now()
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
  return performance.now() - began
}

/** Writes and publishes notes, and records which were acknowledged. */
function load(api: Process, key: string) {
  const { createNote, publishNote } = client(notes, { baseUrl: `${api.url}/example`, headers: { 'x-api-key': key } })
  const written = new Set<string>()
  const published = new Set<string>()
  const failures = new Map<string, number>()
  let slowestMs = 0
  let going = true
  const working = Array.from({ length: writers }, async () => {
    while (going) {
      const began = performance.now()
      try {
        const { body: note } = await createNote({ body: { title: 'kept', text: '' } })
        written.add(note.id)
        await publishNote({ params: { noteId: note.id } })
        published.add(note.id)
      } catch (error) {
        const { status = 'none', headers } = error as { status?: number; headers?: Headers }
        const outcome = `${status} ${headers?.has('retry-after') ? 'with' : 'without'} retry-after`
        failures.set(outcome, (failures.get(outcome) ?? 0) + 1)
        await sleep(100) // sixteen loops without a pause would starve all other processes
      }
      slowestMs = Math.max(slowestMs, performance.now() - began)
    }
  })
  const stop = async () => {
    going = false
    await Promise.all(working)
    return { slowestMs }
  }
  return { written, published, failures, stop }
}

async function until(condition: () => Promise<boolean> | boolean): Promise<number> {
  const began = performance.now()
  while (!(await condition())) await sleep(20)
  return performance.now() - began
}

const isReady = ({ url }: Process) => fetch(`${url}/readyz`).then(({ status }) => status === 200)

test(`an API node and two workers under load survive a ${outageMs / 1_000} s outage of a killed PostgreSQL`, async () => {
  await using postgres = await ownPostgres()
  await using cell = await openCell(postgres)
  const api = await start(cell, 'api', { api: true })
  const nodes = [api, await start(cell, 'worker 1', { worker: true }), await start(cell, 'worker 2', { worker: true })]
  const leaving = async () => start(cell, 'leaving', { api: true, worker: true })
  const [first, second, third] = [await leaving(), await leaving(), await leaving()]
  const { written, published, failures, stop } = load(api, cell.key)
  await until(() => published.size > 100)
  // Some jobs are running when the outage begins.
  const interrupted = await startOperations(cell.database, 40, outageMs / 3)
  const running = sql`select 1 from icosa.operations where status = 'running'`
  await until(async () => (await cell.database.many(running)).length > 0) // on a slow machine, never all at once

  await postgres.kill()
  const killedAt = performance.now()
  const endings = [terminate(first)]
  const before = nodes.map((node) => ({ attempts: node.proxy.attempts.length, files: openFiles(node) }))
  const linesBefore = nodes.map(({ log }) => log.filter(isOwnLine).length)
  await sleep(outageMs / 2)
  endings.push(terminate(second))
  expect(await isReady(api)).toBe(false)
  await sleep(outageMs / 2)
  const during = nodes.map((node, index) => ({
    name: node.name,
    attempts: node.proxy.attempts.length - (before[index]?.attempts ?? 0),
    lines: node.log.filter(isOwnLine).length - (linesBefore[index] ?? 0),
    files: openFiles(node),
  }))
  const awayMs = performance.now() - killedAt
  const writtenBefore = written.size

  endings.push(terminate(third))
  const back = await postgres.start()
  for (const { proxy } of nodes) proxy.lead(back)
  const readyMs = await until(() => isReady(api))
  const writesMs = await until(() => written.size > writtenBefore + 100)
  const { slowestMs } = await stop()
  const endedMs = await Promise.all(endings)

  const database = openDatabase({ url: back, maxConnections: 2, onError: () => {} })
  await using _ = { [Symbol.asyncDispose]: () => database.close() }
  const unfinished = sql`select 1 from icosa.operations where status not in ('succeeded', 'failed') limit 1`
  const doneMs = await until(async () => (await database.many(unfinished)).length === 0)
  const rows = new Map(
    (
      await database.many<{ id: string; times: number }>(sql`select id, published_times as times from example.notes`)
    ).map(({ id, times }) => [id, times]),
  )
  console.log(
    [
      ...during.map(
        ({ name, attempts, lines, files }) => `${name}: ${attempts} attempts, ${lines} lines, ${files} files`,
      ),
      `ended ${endedMs.map(Math.round)} ms after SIGTERM at the kill, in between and at the return (drain time ${drainMs})`,
      `ready ${Math.round(readyMs)} ms after the return, written ${Math.round(writesMs)} ms later`,
      `${written.size} writes and ${published.size + interrupted.length} jobs acknowledged, all done ${Math.round(doneMs)} ms later`,
      `failures: ${[...failures].map(([what, times]) => `${times} x ${what}`)}; slowest ${Math.round(slowestMs)} ms`,
    ].join('\n'),
  )

  const seconds = awayMs / 1_000
  for (const [index, { name, attempts, lines, files }] of during.entries()) {
    expect(attempts, `${name}: attempts`).toBeGreaterThan(0)
    expect(attempts, `${name}: attempts`).toBeLessThanOrEqual(1.5 * seconds + 4) // a few at first, and renewals of leases every 2 s
    expect(lines, `${name}: lines`).toBeLessThanOrEqual(100 * Math.max(1, seconds / 60))
    expect(files, `${name}: open files`).toBeLessThanOrEqual((before[index]?.files ?? 0) + 5)
  }
  expect(Math.max(...endedMs)).toBeLessThanOrEqual(drainMs + 5_000)
  expect(readyMs).toBeLessThanOrEqual(5_000)
  expect([...failures.keys()].filter((what) => what !== '503 with retry-after')).toEqual([])
  expect([...written].filter((id) => !rows.has(id))).toEqual([])
  expect([...published, ...interrupted].filter((id) => rows.get(id) !== 1)).toEqual([])
  expect([...rows.values()].filter((times) => times > 1)).toEqual([])
})

test('requests fail in time and nodes stop on SIGTERM when the database accepts connections but never answers', async () => {
  await using cell = await openCell()
  const node = await start(cell, 'node', { api: true, worker: true })
  const other = await start(cell, 'other', { api: true, worker: true })
  const { published, failures, stop } = load(node, cell.key)
  await until(() => published.size > 20)

  for (const { proxy } of [node, other]) proxy.become('silent')
  const noticedMs = await until(async () => !(await isReady(node)))
  await until(() => failures.size > 0)
  const endedMs = await terminate(other)
  node.proxy.become('through')
  const readyMs = await until(() => isReady(node))
  const before = published.size
  await until(() => published.size > before + 20)
  const { slowestMs } = await stop()
  console.log(
    `not ready after ${Math.round(noticedMs)} ms, ended after ${Math.round(endedMs)} ms, ` +
      `ready again after ${Math.round(readyMs)} ms; the slowest request took ${Math.round(slowestMs)} ms`,
  )
  expect(endedMs).toBeLessThanOrEqual(drainMs + 5_000)
  expect(slowestMs).toBeLessThan(30_000)
  expect([...failures.keys()]).toEqual(['503 with retry-after'])
})
