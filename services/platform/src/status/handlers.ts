import { implement, ok } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { status as contract } from './contract.ts'

export const status = implement<typeof contract, ServiceRuntime>(contract, {
  async getStatus(_, { clock, runtime: { node, database, clockProblem } }) {
    const problem = clockProblem() ?? ((await database.isReachable()) ? undefined : 'no database')
    return ok({
      ready: problem === undefined,
      status: problem ?? 'ready',
      development: node.isDevelopment,
      now: clock.now().toISOString(),
      clock: node.clock,
      services: node.services.map(({ name }) => name),
      needs: node.unmetNeeds().map((need) => ({ ...need })),
    })
  },
})
