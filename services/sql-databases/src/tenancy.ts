import type { Tenancy } from '@icosa/module'
import { ofTenants } from './databases/store.ts'
import { openSqlHost } from './host/host.ts'
import { removeAll } from './host/removal.ts'
import { settled, type Values } from './settings.ts'

/** What a worker makes meanwhile belongs to no row afterwards: supervision drops it. */
export const tenancy: Tenancy<Values> = {
  async release(tenant, { settings, facts, database }) {
    const rows = await ofTenants(database, [tenant])
    if (rows.length === 0) return
    const host = openSqlHost(await settled(settings, facts))()
    for (const { physical } of rows) await host.alone([physical], (admin) => removeAll(host, admin, physical))
  },
}
