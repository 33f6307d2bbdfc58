import { client } from '@icosa/client'
import type { Seed } from '@icosa/testing'
import { events, functions, policies, source } from '../contract.ts'
import { setSecret } from '../secrets/secrets.ts'

/** Creates a secret and a function without a source, so that nothing is built. */
export const seed: Seed = async (owner, app) => {
  const project = 'shop'
  const location = 'europe-north1'
  const parent = { project, location }
  const { tenant = 'owner' } = {
    tenant: (owner.headers && (await app.platform.credentials.byKey(keyOf(owner))))?.tenant,
  }
  await setSecret(app.platform, tenant, { project, name: 'password' }, 'a secret')
  const { body: upload } = await client(source, owner).generateUploadUrl({ params: parent, body: {} })
  const calls = client(functions, owner)
  const body = {
    description: 'says hello',
    environment: 'GEN_2' as const,
    labels: { team: 'blue' },
    buildConfig: { runtime: 'nodejs24', entryPoint: 'hello', source: { storageSource: upload.storageSource } },
    serviceConfig: {
      availableCpu: '1',
      availableMemory: '512M',
      environmentVariables: { COLOR: 'blue' },
      secretEnvironmentVariables: [{ key: 'PASSWORD', projectId: project, secret: 'password', version: 'latest' }],
      timeoutSeconds: 30,
      maxInstanceCount: 5,
      minInstanceCount: 1,
      maxInstanceRequestConcurrency: 10,
    },
  }
  const created = await calls.createFunction({ params: parent, query: { functionId: 'hello' }, body })
  await app.jobs.drain()
  const path = { ...parent, function: 'hello' }
  const eventTrigger = {
    eventType: 'google.cloud.pubsub.topic.v1.messagePublished',
    pubsubTopic: 'projects/shop/topics/orders',
    eventFilters: [{ attribute: 'topic', value: 'orders' }],
    triggerRegion: location,
  }
  await calls.updateFunction({ params: path, body: { ...body, eventTrigger } })
  await app.jobs.drain()
  const bindings = [{ role: 'roles/run.invoker', members: ['allUsers'] }]
  await client(policies, owner).setIamPolicy({ params: path, body: { policy: { bindings } } })
  const operation = created.body.name.split('/').at(-1) ?? ''
  const params = { project, topic: 'orders' }
  await client(events, owner).publish({ params, body: { messages: [{ data: 'b25l', attributes: { size: 'xl' } }] } })
  return {
    ...path,
    topic: 'orders',
    channel: 'orders',
    operation,
    revision: 'hello-00001-abc',
    upload: upload.storageSource.object.replace('.zip', ''),
  }
}

const keyOf = ({ headers }: Parameters<Seed>[0]) => String(headers?.authorization).replace(/^Bearer /, '')
