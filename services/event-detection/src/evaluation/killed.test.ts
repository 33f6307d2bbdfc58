import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '@icosa/kernel'
import { sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { type Calls, message, start } from '../testing/app.ts'
import { createSwing } from '../testing/models.ts'

const loadMs = sized(6_000, 60_000)
const killEveryMs = 2_000
const keys = 60

/** Workers on a database, to be killed one by one. */
async function workersOn(databaseUrl: string, count: number) {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-killed-'))
  const running: ChildProcess[] = []
  const add = () => {
    const worker = fork(new URL('../testing/worker.ts', import.meta.url), [databaseUrl, folder])
    running.push(worker)
    return once(worker, 'message')
  }
  const killOldest = async () => {
    const worker = running.shift()
    if (!worker) return
    const exit = once(worker, 'exit')
    worker.kill('SIGKILL')
    await exit
  }
  await Promise.all(Array.from({ length: count }, add))
  return {
    async replaceOldest() {
      await killOldest()
      void add().catch(() => {}) // killed before it was ready
    },
    async [Symbol.asyncDispose]() {
      while (running.length > 0) await killOldest()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Sends messages of one key until the time is up. Returns the number acknowledged. */
async function sendAll(calls: Calls, sensor: string, isDone: () => boolean): Promise<number> {
  let sent = 0
  while (!isDone()) {
    const count = 1 + (sent % 7)
    const messages = Array.from({ length: count }, (_, index) =>
      message(`${sensor}-${sent + index}`, 'Reading', { sensor, value: sent + index }),
    )
    const { body } = await calls.BatchPutMessage({ body: { messages } })
    expect(body.BatchPutMessageErrorEntries).toEqual([])
    sent += count
  }
  return sent
}

test('killing workers under load loses, duplicates or reorders no message', {
  timeout: loadMs + 90_000,
}, async () => {
  await using app = await start()
  const calls = await app.caller()
  await createSwing(calls)
  await using workers = await workersOn(app.databaseUrl, 2)
  const end = performance.now() + loadMs
  const isDone = () => performance.now() > end
  let killed = 0
  const killing = (async () => {
    for (; !isDone(); killed++) {
      await sleep(killEveryMs)
      await workers.replaceOldest()
    }
  })()
  const sensors = Array.from({ length: keys }, (_, number) => `s${number}`)
  const sent = await Promise.all(sensors.map((sensor) => sendAll(calls, sensor, isDone)))
  await killing

  const { database } = app.platform
  const waiting = async () =>
    (await database.one<{ count: number }>(sql`select count(*)::int as count from event_detection.mailbox`)).count
  await expect.poll(waiting, { timeout: 60_000, interval: 100 }).toBe(0)
  const transitions = await database.many<{ key: string; id: string; segment: string; position: number }>(sql`
    select key, entry->>'messageId' as id, segment::text, position from event_detection.journal
    where kind = 'transition' and entry->>'from' is not null order by journal.xact, journal.number`)
  const byKey = Map.groupBy(transitions, ({ key }) => key)
  sensors.forEach((sensor, index) => {
    const ids = (byKey.get(sensor) ?? []).map(({ id }) => id)
    expect(ids, `${sensor}: one transition per message, in order`).toEqual(
      Array.from({ length: sent[index] ?? 0 }, (_, number) => `${sensor}-${number}`),
    )
  })
  const total = sent.reduce((sum, count) => sum + count, 0)
  console.log(`${total} messages of ${keys} keys, ${killed} workers killed: ${transitions.length} transitions`)
  expect(killed).toBeGreaterThan(loadMs / killEveryMs / 2)
  const { body } = await calls.ListDetectors({ params: { detectorModelName: 'swing' }, query: { maxResults: 250 } })
  expect(body.detectorSummaries).toHaveLength(keys)
})
