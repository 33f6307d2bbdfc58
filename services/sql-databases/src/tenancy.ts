import type { Tenancy } from '@icosa/module'
import { ofTenants } from './databases/store.ts'
import { openSqlHost } from './host/host.ts'
import { removeAll } from './host/removal.ts'
import { resolveSettings, type Values } from './settings.ts'

/** Supervision drops databases that a worker creates in the meantime: they have no row. */
export const tenancy: Tenancy<Values> = {
  async release(tenant, { settings, facts, database }) {
    const rows = await ofTenants(database, [tenant])
    if (rows.length === 0) return
    const host = openSqlHost(await resolveSettings(settings, facts))()
    for (const { physical } of rows) await host.alone([physical], (admin) => removeAll(host, admin, physical))
  },
}
