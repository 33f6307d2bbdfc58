import { implement, type ReadingContext } from '@icosa/kernel'
import { notBuilt } from '@icosa/module/not-built'
import { findApp } from '../apps/handlers.ts'
import { unsupported } from '../unsupported.ts'
import { unbuilt as contract } from './contract.ts'

type Request = { readonly params: { readonly appId: string } }
type Reading = Pick<ReadingContext, 'db' | 'caller'>

/** Returns 404 for apps of other tenants. */
async function accounts({ params: { appId } }: Request, context: Reading): Promise<never> {
  await findApp(context, appId)
  return notBuilt(unsupported.accounts)
}

async function packaged({ params: { appId } }: Request, context: Reading): Promise<never> {
  await findApp(context, appId)
  return notBuilt(unsupported.packages)
}

export const unbuilt = implement(contract, {
  listCortanaEndpoints: async () => notBuilt(unsupported.assistants),
  listUserAccounts: async () => notBuilt(unsupported.accounts),
  getAssignedAccounts: accounts,
  assignAccount: accounts,
  removeAccount: accounts,
  packagePublished: packaged,
  packageTrained: packaged,
})
