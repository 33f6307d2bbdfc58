import { client } from '@icosa/client'
import type { Seed } from '@icosa/testing'
import { collections } from '../collections/contract.ts'
import { jobs } from '../jobs/contract.ts'
import { versions } from '../names.ts'

const query = { 'api-version': versions[0] }

/** A job with a password that is far away, in a collection of one tenant, and an operation: the deletion of another collection. */
export const seed: Seed = async (owner) => {
  const scope = { subscriptionId: 'b3c6a2f0-0000-4000-8000-00000000004a', resourceGroupName: 'coverage' }
  const [collectionCalls, jobCalls] = [client(collections, owner), client(jobs, owner)]
  const make = async (jobCollectionName: string) => {
    const params = { ...scope, jobCollectionName, jobName: 'far-away' }
    await collectionCalls.createOrUpdate({ params, query, body: { location: 'global' } })
    const authentication = { type: 'Basic' as const, username: 'ada', password: 'analytical engine' }
    const action = { type: 'Http' as const, request: { uri: 'https://example.com/', method: 'GET', authentication } }
    await jobCalls.createOrUpdate({ params, query, body: { properties: { startTime: '9000-01-01', action } } })
    return params
  }
  const params = await make('seeded')
  const { headers } = await collectionCalls.delete({ params: await make('deleted'), query })
  const operationId = new URL(headers.get('azure-asyncoperation') ?? '').pathname.split('/').at(-1) ?? ''
  return { ...params, location: 'global', operationId }
}
