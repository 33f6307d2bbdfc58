import { Failure, implement, invalid, ok, type Resource } from '@icosa/kernel'
import { notBuilt } from '@icosa/module/not-built'
import { absent } from '../absent.ts'
import { invalidRequest } from '../exceptions.ts'
import type { Held } from '../held.ts'
import { account as contract } from './contract.ts'
import * as store from './store.ts'

/** What the original says to an account that belongs to no organization, and here none does. */
function noOrganization(): never {
  throw new Failure('invalid', 'The account is not part of an organization, so it has no global settings.', {
    code: invalidRequest,
  })
}

export const account: Resource<Held> = implement<typeof contract, Held>(contract, {
  DescribeGlobalSettings: async () => noOrganization(),
  UpdateGlobalSettings: async () => noOrganization(),

  async DescribeRegionSettings(_, { db, caller, held }) {
    const chosen = await store.preferences(db, caller.tenant)
    const types = [...held.backups.keys()].map((type) => [type, chosen[type] ?? true])
    return ok({ ResourceTypeOptInPreference: Object.fromEntries(types) })
  },

  async UpdateRegionSettings({ body }, { db, caller, held }) {
    if (Object.keys(body.ResourceTypeManagementPreference ?? {}).length > 0)
      notBuilt(absent.managementPreference, 'ResourceTypeManagementPreference')
    const { ResourceTypeOptInPreference: changed = {} } = body
    for (const type of Object.keys(changed))
      if (!held.backups.has(type))
        invalid([{ at: `body/ResourceTypeOptInPreference/${type}`, message: 'is not a type that can be backed up' }])
    await store.setPreferences(db, caller.tenant, changed)
    return ok({})
  },

  async GetSupportedResourceTypes(_, { held }) {
    return ok({ ResourceTypes: [...held.backups.keys()].sort() })
  },
})
