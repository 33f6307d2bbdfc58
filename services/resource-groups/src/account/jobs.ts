import { job } from '@icosa/kernel'
import type { CompareGroups } from '../events/membership.ts'
import * as store from './store.ts'

export interface Tenant {
  readonly tenant: string
}

/** Turns events on or off. On: only after the current members of every group are recorded. */
export function applySettings(compareGroups: CompareGroups) {
  return job<Tenant>('applySettings', {
    async run({ tenant }, context) {
      const account = await store.find(context.db, tenant)
      if (account?.status !== 'IN_PROGRESS') return undefined
      if (account.desired === 'ACTIVE') await compareGroups(tenant, context)
      return (db) => store.settle(db, tenant, account.desired)
    },
    failed: ({ tenant }, db) => store.fail(db, tenant, 'Events could not be turned on or off: try again.'),
  })
}
