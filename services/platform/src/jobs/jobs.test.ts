import { Failure, job, type Service } from '@icosa/kernel'
import { example, startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { platform } from '../index.ts'
import { jobs as contract } from './contract.ts'

const fail = job<object>('fail', {
  retries: 1,
  async run() {
    throw new Failure('unavailable', 'The press is closed.')
  },
})
const failing: Service = { ...example, jobs: [...(example.jobs ?? []), fail] }

test('lists jobs, operations, timers and schedules, of the own tenant only', async () => {
  await using app = await startTestApp({ services: [platform, failing] })
  const list = async (tenant: string) =>
    (await app.client(contract, { headers: { 'x-api-key': await app.key(tenant) } }).listJobs({})).body
  const headers = { 'x-api-key': await app.key('ada'), 'content-type': 'application/json' }
  const created = await fetch(`${app.url}/example/notes`, { method: 'POST', headers, body: '{"title":"t","text":""}' })
  const { id } = (await created.json()) as { id: string }
  await fetch(`${app.url}/example/notes/${id}/publish`, { method: 'POST', headers })
  await app.platform.transaction('example', 'ada', (_, jobs) => jobs.enqueue(fail, {}))
  const before = await list('ada')
  const queued = { service: 'example', state: 'waiting', attempt: 0 }
  expect(before.jobs).toMatchObject([
    { ...queued, job: 'publishNote' },
    { ...queued, job: 'fail' },
  ])
  expect(before.operations).toMatchObject([{ service: 'example', kind: 'publishNote', status: 'pending' }])
  await app.jobs.drain()
  const { jobs, operations, timers, schedules } = await list('ada')
  expect([jobs, operations]).toEqual([[], []])
  expect(timers).toMatchObject([{ service: 'example', job: 'fail', attempt: 2 }])
  expect(schedules.map(({ service, job: name }) => `${service}:${name}`)).toContain('platform:countBlobs')
  for (const { nextAt } of schedules) expect(Date.parse(nextAt)).toBeGreaterThan(0)
  expect(await list('eve')).toMatchObject({ jobs: [], operations: [], timers: [] })
})
