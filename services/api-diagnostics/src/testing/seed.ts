import { client } from '@icosa/client'
import type { Seed } from '@icosa/testing'
import { diagnostics } from '../diagnostics/contract.ts'
import { versions } from '../names.ts'

export const seed: Seed = async (owner) => {
  const params = {
    subscriptionId: 'b3c6a2f0-0000-4000-8000-000000000376',
    resourceGroupName: 'coverage',
    serviceName: 'braille-translation',
    diagnosticId: 'local',
  }
  const { createOrUpdate } = client(diagnostics, owner)
  await createOrUpdate({
    params,
    query: { 'api-version': versions[0] },
    body: { properties: { loggerId: 'node', sampling: { samplingType: 'fixed', percentage: 25 } } },
  })
  return { ...params, location: 'global', operationId: 'none' }
}
