import { client } from '@icosa/client'
import type { Seed } from '@icosa/testing'
import type { ActionInput, SimpleActionInput } from '../actions/contract.ts'
import { collections } from '../collections/contract.ts'
import { jobs } from '../jobs/contract.ts'
import { versions } from '../names.ts'
import type { RecurrenceInput } from '../recurrence/contract.ts'

const query = { 'api-version': versions[0] }
const farFuture = '9000-01-01T00:00:00Z'

const authentication = { type: 'Basic' as const, username: 'ada', password: 'analytical engine' }
const application = {
  type: 'ActiveDirectoryOAuth' as const,
  tenant: 'shop.example',
  clientId: 'app_shop',
  audience: 'urn:shop',
  secret: 'difference engine',
}
const bus = {
  namespace: 'shop',
  transportType: 'AMQP' as const,
  message: 'hello',
  authentication: { type: 'NotSpecified' as const, sasKeyName: 'root' },
  brokeredMessageProperties: { label: 'greeting', scheduledEnqueueTimeUtc: farFuture, timeToLive: 'PT1H' },
  customMessageProperties: { colour: 'blue' },
}
const actions = {
  request: {
    type: 'Http',
    request: { uri: 'https://example.com/', method: 'POST', headers: { 'x-a': 'b' }, body: 'hello', authentication },
    retryPolicy: { retryType: 'Fixed', retryInterval: 'PT1H', retryCount: 2 },
  },
  token: { type: 'Https', request: { uri: 'https://example.com/', method: 'GET', authentication: application } },
  storage: { type: 'StorageQueue', queueMessage: { storageAccount: 'shop', queueName: 'orders', message: 'hello' } },
  queue: { type: 'ServiceBusQueue', serviceBusQueueMessage: { ...bus, queueName: 'orders' } },
  topic: { type: 'ServiceBusTopic', serviceBusTopicMessage: { ...bus, topicPath: 'events/orders' } },
} satisfies Record<string, SimpleActionInput>

const quota = { maxRecurrence: { frequency: 'Minute' as const, interval: 1 } }

const recurrences = {
  weekly: { frequency: 'Week', interval: 2, endTime: farFuture, schedule: { weekDays: ['Monday'], hours: [7] } },
  monthly: { frequency: 'Month', count: 3, timeZone: 'Europe/Berlin', schedule: { monthDays: [-1], minutes: [30] } },
  fridays: { frequency: 'Month', schedule: { monthlyOccurrences: [{ day: 'Friday', Occurrence: 1 }] } },
} satisfies Record<string, RecurrenceInput>

/** Creates a collection with jobs of every kind in the far future, and deletes another one. */
export const seed: Seed = async (owner) => {
  const scope = { subscriptionId: 'b3c6a2f0-0000-4000-8000-00000000004a', resourceGroupName: 'coverage' }
  const [collectionCalls, jobCalls] = [client(collections, owner), client(jobs, owner)]
  const create = async (jobCollectionName: string) => {
    const params = { ...scope, jobCollectionName, jobName: 'request' }
    await collectionCalls.createOrUpdate({ params, query, body: { location: 'global', properties: { quota } } })
    const put = (jobName: string, action: ActionInput, recurrence?: RecurrenceInput) => {
      const properties = { startTime: farFuture, action, ...(recurrence && { recurrence }) }
      return jobCalls.createOrUpdate({ params: { ...params, jobName }, query, body: { properties } })
    }
    for (const [name, action] of Object.entries(actions)) await put(name, { ...action, errorAction: action })
    for (const [name, recurrence] of Object.entries(recurrences)) await put(name, actions.storage, recurrence)
    return params
  }
  const params = await create('seeded')
  const { headers } = await collectionCalls.delete({ params: await create('deleted'), query })
  const operationId = new URL(headers.get('azure-asyncoperation') ?? '').pathname.split('/').at(-1) ?? ''
  return { ...params, location: 'global', operationId }
}
