import { Failure, implement, invalid, ok, type Resource } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { invalidRequest } from '../exceptions.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { unsupported } from '../unsupported.ts'
import { account as contract } from './contract.ts'
import * as store from './store.ts'

/** As the original answers an account without an organization; no account here has one. */
function noOrganization(): never {
  throw new Failure('invalid', 'The account is not part of an organization, so it has no global settings.', {
    code: invalidRequest,
  })
}

export const account: Resource<ServiceRuntime> = implement<typeof contract, ServiceRuntime>(contract, {
  DescribeGlobalSettings: async () => noOrganization(),
  UpdateGlobalSettings: async () => noOrganization(),

  async DescribeRegionSettings(_, { db, caller, runtime }) {
    const preferences = await store.preferences(db, caller.tenant)
    const types = [...runtime.backups.keys()].map((type) => [type, preferences[type] ?? true])
    return ok({ ResourceTypeOptInPreference: Object.fromEntries(types) })
  },

  async UpdateRegionSettings({ body }, { db, caller, runtime }) {
    if (Object.keys(body.ResourceTypeManagementPreference ?? {}).length > 0)
      notSupported(unsupported.managementPreference, 'ResourceTypeManagementPreference')
    const { ResourceTypeOptInPreference: preferences = {} } = body
    for (const type of Object.keys(preferences))
      if (!runtime.backups.has(type))
        invalid([{ at: `body/ResourceTypeOptInPreference/${type}`, message: 'is not a type that can be backed up' }])
    await store.setPreferences(db, caller.tenant, preferences)
    return ok({})
  },

  async GetSupportedResourceTypes(_, { runtime }) {
    return ok({ ResourceTypes: [...runtime.backups.keys()].sort() })
  },
})
