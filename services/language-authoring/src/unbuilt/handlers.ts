import { implement, type ReadingContext } from '@icosa/kernel'
import { notBuilt } from '@icosa/module/not-built'
import { foundApp } from '../apps/handlers.ts'
import { unsupported } from '../unsupported.ts'
import { unbuilt as contract } from './contract.ts'

type Asked = { readonly params: { readonly appId: string } }
type Reading = Pick<ReadingContext, 'db' | 'caller'>

/** Of an app that is the caller's: whoever asks for another's is told that it is not there. */
async function accounts({ params: { appId } }: Asked, context: Reading): Promise<never> {
  await foundApp(context, appId)
  return notBuilt(unsupported.accounts)
}

async function packaged({ params: { appId } }: Asked, context: Reading): Promise<never> {
  await foundApp(context, appId)
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
