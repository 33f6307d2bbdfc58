import { recordEndedJobs, shownNeighbours, sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { at, callersOf, nightly, request, start } from '../testing/app.ts'
import { schedulerNeighbours } from '../testing/neighbours.ts'
import { startReceiver } from '../testing/receiver.ts'

// FLOOD=1000 npx vitest run services/job-scheduler/src/firing/neighbours.test.ts
const flood = sized(100, 1_000)

test(`${flood} requests of one tenant hang, another tenant's are sent`, async () => {
  const measured = await schedulerNeighbours(flood, 20)
  console.log(`a job run manually, ${shownNeighbours(measured)}`)
  // Waiting for the hanging ones would take a minute.
  expect(measured.hanging, 'hanging requests occupy their share, and no more').toBe(24)
  expect(measured.done).toBe(0)
})

test('executions of two tenants are never delivered in one job', async () => {
  await using app = await start()
  await using receiver = await startReceiver()
  const startTime = new Date(app.platform.clock.now().getTime() + 60_000).toISOString()
  for (const tenant of ['acme', 'evil']) {
    const { collections, jobs } = await callersOf(app, tenant)
    const subscriptionId = `sub-${tenant}`
    await collections.createOrUpdate({ params: { ...nightly, subscriptionId }, body: {} })
    for (const name of ['one', 'two']) {
      const properties = { startTime, action: request(`${receiver.url}/${tenant}`) }
      await jobs.createOrUpdate({ params: { ...at(name), subscriptionId }, body: { properties } })
    }
  }
  const endedJobs = await recordEndedJobs(app.platform.database)
  await app.clock.advance(60_000)
  await app.jobs.drain()
  await receiver.until(4)
  const deliveries = (await endedJobs())
    .filter(({ payload }) => payload.job === 'deliver')
    .map(({ tenant, lane, payload: { input } }) => {
      const { executions } = input as { executions: { tenant: string }[] }
      return { tenant, lane, tenants: [...new Set(executions.map((execution) => execution.tenant))] }
    })
  expect(deliveries.toSorted((a, b) => (a.tenant < b.tenant ? -1 : 1))).toEqual([
    { tenant: 'acme', lane: 'default', tenants: ['acme'] },
    { tenant: 'evil', lane: 'default', tenants: ['evil'] },
  ])
})
