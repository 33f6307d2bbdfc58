import { implement, type Job, ok } from '@icosa/kernel'
import { type AccountSettings, account as contract } from './contract.ts'
import type { Tenant } from './jobs.ts'
import * as store from './store.ts'

export function account(apply: Job<Tenant>) {
  return implement(contract, {
    async GetAccountSettings(_, { db, caller }) {
      return ok({ AccountSettings: toAccountSettings((await store.find(db, caller.tenant)) ?? defaultAccount) })
    },

    async UpdateAccountSettings({ body: { GroupLifecycleEventsDesiredStatus: desired } }, context) {
      const { db, caller, jobs } = context
      const { tenant } = caller
      const current = (await store.find(db, tenant)) ?? defaultAccount
      if (desired === undefined || desired === current.status)
        return ok({ AccountSettings: toAccountSettings(current) })
      const settings = await store.setDesired(db, tenant, desired)
      await jobs.enqueue(apply, { tenant })
      return ok({ AccountSettings: toAccountSettings(settings) })
    },
  })
}

const defaultAccount: store.Account = { desired: 'INACTIVE', status: 'INACTIVE', message: null }

const toAccountSettings = ({ desired, status, message }: store.Account): AccountSettings => ({
  GroupLifecycleEventsDesiredStatus: desired,
  GroupLifecycleEventsStatus: status,
  ...(message !== null && { GroupLifecycleEventsStatusMessage: message }),
})
