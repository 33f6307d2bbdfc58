import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createTestDatabase, example, startProxy, startTestApp, type TestApp } from '@icosa/testing'
import { expect, test, vi } from 'vitest'
import { sql } from './db/db.ts'
import { job } from './jobs/jobs.ts'
import { jobsIn } from './jobs/queue.ts'
import type { Service } from './service.ts'

/** The response on a connection that stays open with an unfinished request. */
function opened(app: TestApp, lines: readonly string[], body = ''): { socket: Socket; answer: () => string } {
  const { port, hostname } = new URL(app.url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  return { socket, answer: () => answer }
}

const upload = ['POST /example/notes HTTP/1.1', 'Host: a', 'Content-Type: application/json', 'Content-Length: 900000']

test('a refused upload is answered, and its connection is closed though the rest never arrives', async () => {
  await using app = await startTestApp(example)
  const { socket, answer } = opened(app, upload, 'the first bytes')
  await once(socket, 'close')
  expect(answer()).toMatch(/^HTTP\/1.1 401 Unauthorized/)
  expect(answer()).toMatch(/\r\nconnection: close\r\n/i)
  expect(answer()).toMatch(/}$/)
})

test('a refused request that arrived with its body keeps its connection', async () => {
  await using app = await startTestApp(example)
  const { socket, answer } = opened(app, [...upload.slice(0, -1), 'Content-Length: 2'], '{}')
  await vi.waitFor(() => expect(answer()).toContain('401 Unauthorized'))
  expect(answer()).not.toMatch(/connection: close/i)
  socket.destroy()
})

test('a caller refused in the middle of a large upload can still read the reason', async () => {
  await using app = await startTestApp(example)
  const answer = await fetch(`${app.url}/example/notes`, {
    method: 'POST',
    headers: { 'x-api-key': 'wrong', 'content-type': 'application/json' },
    body: 'x'.repeat(900_000),
  })
  expect(answer.status).toBe(401)
  expect(await answer.json()).toMatchObject({ error: {} })
})

test('a node stops by its deadline, regardless of callers, jobs and database', async () => {
  const heedless = job<object>('heedless', { run: () => new Promise<void>(() => {}) })
  const service: Service = { ...example, jobs: [heedless] }
  await using testDatabase = await createTestDatabase([service])
  await using proxy = await startProxy(testDatabase.url)
  const app = await startTestApp({
    services: [service],
    databaseUrl: proxy.url,
    worker: { concurrency: 4 },
    drainMs: 100,
  })
  const { database, queue } = app.platform
  await database.transaction((db) => jobsIn(queue, db, 'example', 'ada').enqueue(heedless, {}))
  queue.wake(['example'])
  const active = sql`select 1 from icosa.jobs where is_running`
  await vi.waitFor(async () => expect(await database.many(active)).toHaveLength(1), { timeout: 20_000 })
  const key = await app.key('ada')
  opened(app, [...upload, `X-Api-Key: ${key}`], 'the first bytes') // and nothing more
  opened(app, [], '') // sends nothing
  proxy.become('silent')
  const asking = fetch(`${app.url}/example/notes`, { headers: { 'x-api-key': key } }).catch(() => 'cut off')

  const began = performance.now()
  await app[Symbol.asyncDispose]()
  const tookMs = performance.now() - began
  console.log(`stopped after ${Math.round(tookMs)} ms, with a drain time of 100 ms`)
  expect(tookMs).toBeLessThan(100 + 5_000)
  await asking
})
