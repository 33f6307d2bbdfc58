import { implement, ok } from '@icosa/kernel'
import { moduleOf } from '../data-plane/authenticate.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { uses as contract } from './contract.ts'
import * as store from './store.ts'

export const uses = implement<typeof contract, ServiceRuntime>(contract, {
  async list({ query }, context) {
    const { items, next } = await store.list(context.db, moduleOf(context), query.key, query.after)
    return ok({ value: items.map(toUse) }, { next })
  },
})

function toUse({ at, key, operation, algorithm, caller, outcome, detail }: store.Row) {
  return {
    at: at.toISOString(),
    operation,
    caller,
    outcome,
    ...(key !== null && { key }),
    ...(algorithm !== null && { algorithm }),
    ...(detail !== null && { detail }),
  }
}
