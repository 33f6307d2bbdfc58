import { implement, ok } from '@icosa/kernel'
import { moduleOf } from '../data-plane/authenticate.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { recordChange } from '../uses/record.ts'
import { pin as contract } from './contract.ts'
import { hashOf, newPin } from './pins.ts'
import * as store from './store.ts'

export const pin = implement<typeof contract, ServiceRuntime>(contract, {
  async replace(_, context) {
    const { db, runtime } = context
    const module = moduleOf(context)
    const replacement = newPin()
    runtime.pins.forget(module)
    await store.setPin(db, module, hashOf(await context.tenantVault(), module, replacement))
    await recordChange(context, 'replace PIN', null)
    return ok({ pin: replacement })
  },
})
