import { type Facts, found, missing, type Need, postgresAt, type ServiceModule } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { defaultSettings, type SqlSettings, settings } from './settings.ts'

type Values = ValuesOf<typeof settings>

const settled = async (values: Values, { databaseUrl }: Facts): Promise<SqlSettings> => ({
  ...defaultSettings,
  ...values,
  adminUrl: values.adminUrl ?? (await databaseUrl),
})

const sqlHost: Need<Values> = {
  name: 'SQL host',
  purpose: 'holds the databases of tenants; PostgreSQL 15 or newer',
  remedy: 'Set ICOSA_SQL_URL to a PostgreSQL of its own, as a role with CREATEDB and CREATEROLE.',
  async check(values, facts) {
    const { adminUrl, sharedHost } = await settled(values, facts)
    if (adminUrl === undefined)
      return sharedHost ? found("development mode's own") : missing('ICOSA_SQL_URL is not set')
    return postgresAt(adminUrl)
  },
}

export const module: ServiceModule<Values> = {
  settings,
  async create(values, facts) {
    const { sqlDatabases } = await import('./index.ts')
    return sqlDatabases(await settled(values, facts))
  },
  absent: () => import('./absent.ts'),
  async inspect(values, facts) {
    if (values.sharedHost && facts.hasDevelopmentDatabase && values.adminUrl === undefined) return []
    const { inspect } = await import('./inspection.ts')
    return inspect(await settled(values, facts), (await facts.databaseUrl) ?? '')
  },
  needs: [sqlHost],
}
