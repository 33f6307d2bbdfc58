import { type Context, implement, notFound } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import * as functions from '../functions/store.ts'
import { unsupported } from '../unsupported.ts'
import { upgrades as contract } from './contract.ts'

type Request = { readonly params: Parameters<typeof functions.find>[2] }

/** A missing function takes precedence. */
const refuse =
  (verb: string) =>
  async ({ params }: Request, { db, caller }: Pick<Context, 'db' | 'caller'>): Promise<never> => {
    if (!(await functions.find(db, caller.tenant, params))) notFound('function', params.function)
    return notSupported(unsupported.generation1, verb)
  }

export const upgrades = implement(contract, {
  setupFunctionUpgradeConfig: refuse('setupFunctionUpgradeConfig'),
  redirectFunctionUpgradeTraffic: refuse('redirectFunctionUpgradeTraffic'),
  rollbackFunctionUpgradeTraffic: refuse('rollbackFunctionUpgradeTraffic'),
  commitFunctionUpgrade: refuse('commitFunctionUpgrade'),
  abortFunctionUpgrade: refuse('abortFunctionUpgrade'),
})
