import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '@icosa/kernel'
import { children, expireClaims, sized, testNode } from '@icosa/testing'
import { expect, test } from 'vitest'
import { startFunctions } from '../testing/app.ts'

const count = sized(300, 10_000)
const patience = { timeout: 600_000, interval: 100 }

test(`${count} events are all handled although the worker is killed twice`, async () => {
  const blobs = await mkdtemp(join(tmpdir(), 'icosa-events-'))
  await using app = await startFunctions({}, { blobs: testNode([], '', blobs).blobs })
  const acme = await app.tenant()
  const eventType = 'google.cloud.pubsub.topic.v1.messagePublished'
  const body = {
    eventTrigger: { eventType, pubsubTopic: 'projects/shop/topics/orders', retryPolicy: 'RETRY_POLICY_RETRY' },
    serviceConfig: { maxInstanceRequestConcurrency: 20, maxInstanceCount: 5 },
  }
  const slow = { 'index.js': 'exports.hello = () => new Promise((resolve) => setTimeout(resolve, 20))\n' }
  expect((await acme.deploy('orders', slow, { body })).error).toBeUndefined()
  const params = { project: 'shop', topic: 'orders' }
  for (let sent = 0; sent < count; sent += 100)
    await acme.publish({ params, body: { messages: Array.from({ length: 100 }, () => ({ data: '' })) } })
  const remaining = async () => {
    const rows = sql`select count(*)::int as count from functions.deliveries`
    return (await app.platform.database.one<{ count: number }>(rows)).count
  }
  expect(await remaining()).toBe(count)

  await using processes = children()
  const worker = async () => {
    const argument = JSON.stringify({ databaseUrl: app.databaseUrl, blobs })
    const child = processes.add(fork(new URL('../testing/worker.ts', import.meta.url), [argument]))
    await once(child, 'message')
    return child
  }
  const counts: number[] = []
  for (const share of [0.8, 0.5]) {
    const doomed = await worker()
    await expect.poll(remaining, patience).toBeLessThan(count * share)
    doomed.kill('SIGKILL')
    await once(doomed, 'exit')
    await expireClaims(app.platform.database)
    counts.push(await remaining())
  }
  expect(counts[1]).toBeGreaterThan(0) // the kill interrupted work
  await worker()
  await expect.poll(remaining, patience).toBe(0)
  expect(
    (await acme.listFailedEvents({ params: { ...params, location: 'europe-north1', function: 'orders' } })).body,
  ).toEqual({ failedEvents: [] })
  console.log(`${count} events handled; ${counts.join(' and ')} remained when the worker was killed`)
  await rm(blobs, { recursive: true, force: true })
}, 600_000)
