import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '@icosa/kernel'
import { children, expireClaims, sized, testNode } from '@icosa/testing'
import { expect, test } from 'vitest'
import { at, startFunctions } from '../testing/app.ts'

const resources = 10
const changes = sized(15, 200)
const patience = { timeout: 300_000, interval: 50 }

test('events of one resource stay in order although workers are killed while they receive and deliver', async () => {
  const blobs = await mkdtemp(join(tmpdir(), 'icosa-events-'))
  await using app = await startFunctions({}, { blobs: testNode([], '', blobs).blobs })
  const acme = await app.tenant()
  const eventTrigger = { eventType: 'icosa.resource.v1.updated', retryPolicy: 'RETRY_POLICY_RETRY' }
  const serviceConfig = { availableCpu: '1', maxInstanceRequestConcurrency: 20, maxInstanceCount: 3 }
  const code = `exports.hello = async (event) => {
    console.log(event.subject, event.data.name)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }\n`
  expect(
    (await acme.deploy('ordered', { 'index.js': code }, { body: { eventTrigger, serviceConfig } })).error,
  ).toBeUndefined()
  const { database } = app.platform
  const put = (id: string, name: string) =>
    app.platform.transaction('stores', 'acme', (_db, _jobs, registry) =>
      registry.put({ id, type: 'Shop/stores', name }),
    )
  const subjects = Array.from({ length: resources }, (_, n) => `/stores/${n}`)
  for (const subject of subjects) for (let n = 0; n <= changes; n++) await put(subject, `number-${n}`)
  const total = resources * changes
  const left = async () =>
    (
      await database.one<{ count: number }>(sql`
        select (select count(*) from icosa.events)::int + (select count(*) from functions.deliveries)::int as count`)
    ).count
  expect(await left()).toBe(total)

  await using processes = children()
  const worker = async () => {
    const child = processes.add(
      fork(new URL('../testing/worker.ts', import.meta.url), [JSON.stringify({ databaseUrl: app.databaseUrl, blobs })]),
    )
    await once(child, 'message')
    return child
  }
  const reached: number[] = []
  for (const share of [1, 0.9, 0.7, 0.4]) {
    const doomed = await worker()
    if (share < 1) await expect.poll(left, patience).toBeLessThan(total * share)
    doomed.kill('SIGKILL')
    await once(doomed, 'exit')
    await expireClaims(database)
    reached.push(await left())
  }
  expect(reached.at(-1)).toBeGreaterThan(0) // the kills interrupted work
  await worker()
  await expect.poll(left, patience).toBe(0)
  const rows = await database.many<{ text: string }>(sql`
    select text from functions.log_lines where stream = 'stdout' order by at, xact, number`)
  for (const subject of subjects) {
    const numbers = rows.flatMap(({ text }) => (text.startsWith(`${subject} `) ? Number(text.split('-')[1]) : []))
    const distinct = numbers.filter((number, index) => number !== numbers[index - 1]) // a kill repeats the last one
    expect(distinct).toEqual(distinct.toSorted((a, b) => a - b))
    expect(new Set(distinct).size).toBe(distinct.length)
  }
  expect((await acme.listFailedEvents({ params: at('ordered') })).body.failedEvents).toEqual([])
  console.log(`${total} events in order; ${reached.join(', ')} remained when workers were killed`)
  await rm(blobs, { recursive: true, force: true })
}, 600_000)
