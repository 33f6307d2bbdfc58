import { afterAll, beforeAll, expect, test } from 'vitest'
import * as accounts from '../identities/store.ts'
import { at, type FunctionsApp, startFunctions, type Tenant } from '../testing/app.ts'

let app: FunctionsApp
let acme: Tenant
beforeAll(async () => {
  app = await startFunctions()
  acme = await app.tenant()
})
afterAll(() => app[Symbol.asyncDispose]())

test('events are delivered if the service account of the trigger may call the function', async () => {
  const email = 'sender@shop.iam.gserviceaccount.com'
  const account = { project: 'shop', name: 'sender', permissions: [], createdAt: app.platform.clock.now() }
  await app.platform.database.transaction((db) => accounts.put(db, 'acme', account))
  const pubsubTopic = 'projects/shop/topics/orders'
  const eventType = 'google.cloud.pubsub.topic.v1.messagePublished'
  const body = { eventTrigger: { eventType, pubsubTopic, serviceAccountEmail: email } }
  const prints = { 'index.js': "exports.hello = () => console.log('received')\n" }
  expect((await acme.deploy('by-account', prints, { body })).error).toBeUndefined()
  const publish = () =>
    acme.publish({ params: { project: 'shop', topic: 'orders' }, body: { messages: [{ data: '' }] } })

  await publish()
  await app.jobs.drain()
  const { failedEvents } = (await acme.listFailedEvents({ params: at('by-account') })).body
  expect(failedEvents).toMatchObject([{ reason: expect.stringContaining(`serviceAccount:${email}`) }])

  const bindings = [{ role: 'roles/run.invoker', members: [`serviceAccount:${email}`] }]
  await acme.setIamPolicy({ params: at('by-account'), body: { policy: { bindings } } })
  await publish()
  await app.jobs.drain()
  const printed = async () => (await acme.listLogs({ params: at('by-account') })).body.lines.map(({ text }) => text)
  await expect.poll(printed, { timeout: 20_000 }).toContain('received')

  await app.platform.database.transaction((db) => accounts.remove(db, 'acme', account))
  await publish()
  await app.jobs.drain()
  const reasons = (await acme.listFailedEvents({ params: at('by-account') })).body.failedEvents.map((one) => one.reason)
  expect(reasons).toContainEqual(expect.stringContaining('was deleted'))
})
