import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expireClaims } from '@icosa/testing'
import { expect, test } from 'vitest'
import { at, callersOf, everyMinute, minuteMs, nightly, request, start } from '../testing/app.ts'
import { startReceiver } from '../testing/receiver.ts'

async function startWorker(databaseUrl: string, folder: string): Promise<ChildProcess> {
  const worker = fork(new URL('../testing/worker.ts', import.meta.url), [databaseUrl, folder])
  await once(worker, 'message')
  return worker
}

test('a worker killed amid its requests loses none of them', async () => {
  await using app = await start()
  await using receiver = await startReceiver(300)
  const folder = await mkdtemp(join(tmpdir(), 'icosa-killed-'))
  const first = await startWorker(app.databaseUrl, folder)
  const workers = [first]
  try {
    const { collections, jobs } = await callersOf(app)
    await collections.createOrUpdate({ params: nightly, body: {} })
    await app.clock.move({ to: new Date('2030-01-01T00:00:00Z') })
    const properties = { action: request(receiver.url), recurrence: { ...everyMinute, count: 120 } }
    await jobs.createOrUpdate({ params: at('beat'), body: { properties } })
    await app.clock.advance(200 * minuteMs)
    await receiver.until(20)
    first.kill('SIGKILL')
    await once(first, 'exit')
    await expireClaims(app.platform.database)
    workers.push(await startWorker(app.databaseUrl, folder))

    const state = async () => (await jobs.get({ params: at('beat') })).body.properties?.state
    await expect.poll(state, { timeout: 60_000, interval: 200 }).toBe('Completed')
    const ids = receiver.received.map(({ executionId }) => executionId)
    expect(new Set(ids).size).toBe(120)
    console.log(`${ids.length - 120} of 120 requests came a second time, under the same id`)
    // In-flight requests of the killed worker are sent again, with the same id.
    expect(ids.length - 120).toBeLessThanOrEqual(8 * 25)
    const { body } = await jobs.get({ params: at('beat') })
    expect(body.properties?.status, 'every execution counts once').toMatchObject({
      executionCount: 120,
      failureCount: 0,
    })
  } finally {
    for (const worker of workers) worker.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
})
