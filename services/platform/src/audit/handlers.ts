import { implement, ok } from '@icosa/kernel'
import { recordPage } from '../operator/handlers.ts'
import { audit as contract } from './contract.ts'

export const audit = implement(contract, {
  async listAuditRecords({ query }, { db, caller }) {
    return ok(await recordPage(db, caller.tenant, query))
  },
})
