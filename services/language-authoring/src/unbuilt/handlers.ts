import { implement, type ReadingContext } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { findApp } from '../apps/handlers.ts'
import { unsupported } from '../unsupported.ts'
import { unbuilt as contract } from './contract.ts'

type Request = { readonly params: { readonly appId: string } }
type Reading = Pick<ReadingContext, 'db' | 'caller'>

/** Returns 404 for apps of other tenants. */
async function accounts({ params: { appId } }: Request, context: Reading): Promise<never> {
  await findApp(context, appId)
  return notSupported(unsupported.accounts)
}

async function packaged({ params: { appId } }: Request, context: Reading): Promise<never> {
  await findApp(context, appId)
  return notSupported(unsupported.packages)
}

export const unbuilt = implement(contract, {
  listCortanaEndpoints: async () => notSupported(unsupported.assistants),
  listUserAccounts: async () => notSupported(unsupported.accounts),
  getAssignedAccounts: accounts,
  assignAccount: accounts,
  removeAccount: accounts,
  packagePublished: packaged,
  packageTrained: packaged,
})
