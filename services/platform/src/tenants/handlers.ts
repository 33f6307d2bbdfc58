import { created, implement, withPreparation } from '@icosa/kernel'
import { refusing, required } from '../development.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { tenants as contract } from './contract.ts'

export const tenants = implement<typeof contract, ServiceRuntime>(contract, {
  createTenant: withPreparation(
    async ({ body: { name, permissions } }, { runtime }) =>
      refusing(() => required(runtime.controls).endpoints(name, permissions)),
    async ({ body: { name } }, _, endpoints) => created({ name, endpoints: [...endpoints] }),
  ),
})
