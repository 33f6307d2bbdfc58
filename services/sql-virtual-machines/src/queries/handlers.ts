import { implement, ok, type Resource, withPreparation } from '@icosa/kernel'
import { ownerOf } from '../machines/owner.ts'
import { adminRole, mainDatabase } from '../names.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { queries as contract } from './contract.ts'

const unreachable = 'The machine could not be reached: read its state, and try again once it is Running.'

export const queries: Resource<ServiceRuntime> = implement<typeof contract, ServiceRuntime>(contract, {
  run: withPreparation(
    async ({ params, body }, context) => {
      const { instance, password } = await ownerOf(context, params)
      const { database = mainDatabase, ...statement } = body
      const { host, port } = instance
      // Its certificate is self-signed.
      const at = { host, port, user: adminRole, password, database, ssl: { rejectUnauthorized: false } }
      return context.runtime.statements.run(context.caller.tenant, at, statement, unreachable)
    },
    async (_, __, result) => ok(result),
  ),
})
