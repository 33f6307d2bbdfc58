import { implement, notFound, ok } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import * as servers from '../servers/store.ts'
import { unsupported } from '../unsupported.ts'
import { firewallRules as contract } from './contract.ts'

/** PostgreSQL's `pg_hba.conf` controls from where roles may connect; it belongs to the operator and applies to all servers. */
export const firewallRules = implement(contract, {
  async listByServer({ params }, { db, caller }) {
    if (!(await servers.find(db, caller.tenant, params))) notFound('server', params.serverName)
    return ok({ value: [] })
  },

  async createOrUpdate({ params }, { db, caller }) {
    if (!(await servers.find(db, caller.tenant, params))) notFound('server', params.serverName)
    notSupported(unsupported.firewallRules, 'A firewall rule')
  },
})
