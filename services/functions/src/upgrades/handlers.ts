import { type Context, implement, notFound } from '@icosa/kernel'
import { notBuilt } from '@icosa/module/not-built'
import * as functions from '../functions/store.ts'
import { unsupported } from '../unsupported.ts'
import { upgrades as contract } from './contract.ts'

type Asked = { readonly params: Parameters<typeof functions.find>[2] }

/** A function that is not there is said to be so first. */
const refuse =
  (verb: string) =>
  async ({ params }: Asked, { db, caller }: Pick<Context, 'db' | 'caller'>): Promise<never> => {
    if (!(await functions.find(db, caller.tenant, params))) notFound('function', params.function)
    return notBuilt(unsupported.upgrades, verb)
  }

export const upgrades = implement(contract, {
  setupFunctionUpgradeConfig: refuse('setupFunctionUpgradeConfig'),
  redirectFunctionUpgradeTraffic: refuse('redirectFunctionUpgradeTraffic'),
  rollbackFunctionUpgradeTraffic: refuse('rollbackFunctionUpgradeTraffic'),
  commitFunctionUpgrade: refuse('commitFunctionUpgrade'),
  abortFunctionUpgrade: refuse('abortFunctionUpgrade'),
})
