import { created, implement, noContent, notFound, ok } from '@icosa/kernel'
import { type ActiveFault, refusing, required } from '../development.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { faults as contract, type Fault } from './contract.ts'

const toFault = (active: ActiveFault) =>
  Object.fromEntries(Object.entries(active).filter(([, value]) => value !== undefined)) as unknown as Fault

export const faults = implement<typeof contract, ServiceRuntime>(contract, {
  async listFaults(_, { runtime: { controls } }) {
    return ok({ faults: required(controls).faults.list().map(toFault) })
  },

  async addFault({ body }, { runtime: { controls } }) {
    return created(toFault(await refusing(() => required(controls).faults.add(body))))
  },

  async removeFault({ params: { faultId } }, { runtime: { controls } }) {
    const active = required(controls).faults
    if (!active.list().some(({ id }) => id === faultId)) notFound('fault', faultId)
    active.clear(faultId)
    return noContent()
  },

  async removeFaults(_, { runtime: { controls } }) {
    return ok({ removed: required(controls).faults.clear() })
  },
})
