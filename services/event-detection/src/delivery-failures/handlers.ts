import { implement, ok } from '@icosa/kernel'
import { deliveryFailures } from './contract.ts'
import { list } from './store.ts'
import { toDeliveryFailure } from './view.ts'

export const deliveryFailureOperations = implement(deliveryFailures, {
  async ListDeliveryFailures({ query }, { db, caller }) {
    const { items, next } = await list(db, caller.tenant, query)
    return ok({ deliveryFailures: items.map(toDeliveryFailure) }, { next })
  },
})
