import { sql } from '@icosa/kernel'
import { recordEndedJobs, shownNeighbours, sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { message, start } from '../testing/app.ts'
import { readingInput, swing } from '../testing/models.ts'
import { evaluationNeighbours } from '../testing/neighbours.ts'

// FLOOD=1000000 npx vitest run services/event-detection/src/evaluation/neighbours.test.ts
const flood = sized(20_000, 150_000)

test(`${flood} queued messages of one tenant do not block another tenant`, {
  timeout: 600_000,
}, async () => {
  const latency = await evaluationNeighbours(flood, 10)
  console.log(`from a message to its detector's state, ${shownNeighbours(latency)}`)
  expect(latency.overtaking, 'not after the whole flood').toBeLessThan(flood / 2)
})

test('messages of two tenants are queued and evaluated separately', async () => {
  await using app = await start()
  for (const tenant of ['acme', 'evil']) {
    const calls = await app.caller(tenant)
    await calls.CreateInput({ body: readingInput })
    await calls.CreateDetectorModel({ body: swing })
    const messages = ['a', 'b', 'c'].map((sensor, n) =>
      message(`m${n}`, 'Reading', { sensor, value: n, place: { floor: 1 } }),
    )
    await calls.BatchPutMessage({ body: { messages } })
  }
  const { database } = app.platform
  const waiting = sql`select tenant, sum(messages)::int as messages from event_detection.mailbox group by 1 order by 1`
  expect(await database.many(waiting)).toEqual([
    { tenant: 'acme', messages: 3 },
    { tenant: 'evil', messages: 3 },
  ])
  const endedJobs = await recordEndedJobs(database)
  await app.jobs.drain()
  expect(await database.many(waiting)).toEqual([])
  const evaluations = (await endedJobs()).filter(({ payload }) => payload.job === 'evaluate')
  expect(new Set(evaluations.map(({ tenant }) => tenant))).toEqual(new Set(['acme', 'evil']))
})
