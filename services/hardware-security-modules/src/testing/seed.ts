import { randomUUID } from 'node:crypto'
import { client } from '@icosa/client'
import type { Seed } from '@icosa/testing'
import { keys, modules, pin } from '../contract.ts'
import { skuName, versions } from '../names.ts'

/** Creates another module each time, with a used key. */
export const seed: Seed = async (owner, app) => {
  const query = { 'api-version': versions[0] }
  const params = {
    subscriptionId: 'seeded-subscription',
    resourceGroupName: 'seeded',
    name: `seeded-${randomUUID().slice(0, 12)}`,
  }
  const body = { location: 'westus', sku: { name: skuName }, properties: {} } as const
  const { headers } = await client(modules, owner).createOrUpdate({ params, query, body })
  await app.jobs.drain()
  const module = await client(modules, owner).get({ params, query })
  const moduleId = module.body.properties.endpoint?.split('/').at(-1) ?? ''
  const keyName = 'seeded-key'
  const key = { params: { moduleId, keyName } }
  await client(keys, owner).make({ ...key, body: { type: 'EC', curve: 'P-256' } })
  await client(keys, owner).sign({ ...key, body: { algorithm: 'ES256', value: 'c2VlZGVk' } })
  await client(pin, owner).replace({ params: { moduleId } })
  const poll = new URL(headers.get('azure-asyncoperation') ?? '')
  const operationId = poll.pathname.split('/').at(-1) ?? ''
  return { ...params, location: 'global', operationId, moduleId, keyName }
}
