import { implement, notFound, ok, type Resource, withPreparation } from '@icosa/kernel'
import { busy } from '../databases/begin.ts'
import * as store from '../databases/store.ts'
import { unreachable } from '../host/host.ts'
import { passwordPlace } from '../provisioning/passwords.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { queries as contract } from './contract.ts'

export const queries: Resource<ServiceRuntime> = implement<typeof contract, ServiceRuntime>(contract, {
  run: withPreparation(
    async ({ params: scope, body }, { db, caller: { tenant }, tenantVault, runtime }) => {
      const row = (await store.find(db, tenant, scope)) ?? notFound('database', scope.databaseName)
      if (row.status !== 'Online') busy(row)
      const password = (await tenantVault()).open(row.password, passwordPlace(row.id))
      return runtime.statements.run(tenant, runtime.host().connection(row.physical, password), body, unreachable)
    },
    async (_, __, result) => ok(result),
  ),
})
