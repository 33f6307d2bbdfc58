import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jobScheduler } from '@icosa/job-scheduler'
import NewestClient from 'azure-arm-scheduler'
import OldestClient from 'azure-arm-scheduler-1.0'
import msRest from 'ms-rest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SdkPlatform, startSdkPlatform } from './support.ts'

let platform: SdkPlatform
let url = ''
const received: string[] = []
const receiver = createServer((request, response) => {
  received.push(`${request.method} ${request.url}`)
  response.end('thank you')
})

beforeAll(async () => {
  platform = await startSdkPlatform(() => [jobScheduler()])
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
})
afterAll(async () => {
  receiver.close()
  await platform[Symbol.asyncDispose]()
})

test.each([
  ['1.0.0-preview', 'http', OldestClient as unknown as typeof NewestClient],
  ['1.0.0-preview', 'https', OldestClient as unknown as typeof NewestClient],
  ['1.2.0-preview', 'http', NewestClient],
  ['1.2.0-preview', 'https', NewestClient],
] as const)('azure-arm-scheduler %s over %s manages collections and runs jobs', async (_, scheme, Client) => {
  received.length = 0
  const { token } = await platform.credential.getToken(`${platform.url}/.default`)
  const client = new Client(new msRest.TokenCredentials(token), 'sub-1', `${platform.at(scheme)}/job-scheduler`, {
    longRunningOperationRetryTimeout: 0,
  })
  const { jobCollections, jobs } = client
  const created = await jobCollections.createOrUpdate('group', 'nightly', {
    location: 'westus',
    properties: { sku: { name: 'Standard' }, state: 'Enabled' },
  })
  expect(created).toMatchObject({ name: 'nightly', properties: { state: 'Enabled' } })

  const job = await jobs.createOrUpdate('group', 'nightly', 'call-home', {
    properties: {
      startTime: new Date(Date.now() + 86_400_000), // tomorrow: today it runs only on request
      action: {
        type: 'Http',
        request: { uri: `${url}/hello`, method: 'POST', headers: { 'x-from': 'sdk' }, body: 'hi' },
      },
      recurrence: { frequency: 'Day', interval: 1, schedule: { hours: [1], minutes: [30] } },
      state: 'Enabled',
    },
  })
  expect(job.properties?.state).toBe('Enabled')
  await jobs.run('group', 'nightly', 'call-home')
  await expect.poll(() => received).toEqual(['POST /hello'])
  await expect
    .poll(async () => (await jobs.listJobHistory('group', 'nightly', 'call-home', { top: 5 })).length, {
      timeout: 10_000,
    })
    .toBe(1)

  expect((await jobs.list('group', 'nightly', { top: 5, skip: 0, filter: "state eq 'Enabled'" })).length).toBe(1)
  await jobCollections.disable('group', 'nightly')
  expect((await jobCollections.get('group', 'nightly')).properties?.state).toBe('Disabled')
  await jobCollections.enable('group', 'nightly')
  expect(await jobCollections.listByResourceGroup('group')).toHaveLength(1)
  expect(await jobCollections.listBySubscription()).toHaveLength(1)

  await jobs.deleteMethod('group', 'nightly', 'call-home')
  await jobCollections.deleteMethod('group', 'nightly')
  await expect(jobCollections.get('group', 'nightly')).rejects.toMatchObject({
    statusCode: 404,
    code: 'ResourceNotFound',
  })
})
