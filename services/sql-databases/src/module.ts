import { found, missing, type Need, postgresAt, type ServiceModule } from '@icosa/module'
import { resolveSettings, settings, type Values } from './settings.ts'

const sqlHost: Need<Values> = {
  name: 'SQL host',
  purpose: 'hosts the databases of tenants; PostgreSQL 15 or newer',
  remedy: 'Set ICOSA_SQL_URL to a PostgreSQL of its own, as a role with CREATEDB and CREATEROLE.',
  async check(values, facts) {
    const { adminUrl, sharedHost } = await resolveSettings(values, facts)
    if (adminUrl === undefined)
      return sharedHost ? found("development mode's own") : missing('ICOSA_SQL_URL is not set')
    return postgresAt(adminUrl)
  },
}

const archiveServer: Need<Values> = {
  name: 'postgres of the SQL host',
  purpose: 'replays WAL of the SQL host, for point-in-time recovery; must be of the same version',
  isOptional: true,
  remedy: {
    debian: 'sudo apt install postgresql-15, or the version of your SQL host',
    macos: 'brew install postgresql@15, or the version of your SQL host',
    other:
      'Install the server of PostgreSQL in the version of your SQL host, and set ICOSA_SQL_PROGRAMS to its folder.',
  },
  async check(values, facts) {
    const { archiveUrl, programs, serverPrograms } = await resolveSettings(values, facts)
    if (archiveUrl === undefined) {
      const isStartedLater = facts.hasDevelopmentDatabase && values.sharedHost && values.adminUrl === undefined
      return isStartedLater
        ? found("development mode's own")
        : missing('ICOSA_SQL_ARCHIVE_URL is not set: no WAL is archived')
    }
    const host = await postgresAt(archiveUrl)
    const major = Number(/PostgreSQL (\d+)/.exec(host.detail)?.[1])
    if (!host.isThere || Number.isNaN(major)) return host
    const { serverProgramFor } = await import('./backups/programs.ts')
    const path = await serverProgramFor(major, programs, await serverPrograms?.())
    return path === undefined ? missing(`not found in version ${major}`) : found(path)
  },
}

export const module: ServiceModule<Values> = {
  settings,
  async create(values, facts) {
    const { sqlDatabases } = await import('./index.ts')
    return sqlDatabases(await resolveSettings(values, facts))
  },
  gaps: () => import('./unsupported.ts'),
  tenancy: () => import('./tenancy.ts'),
  async inspect(values, facts) {
    if (values.sharedHost && facts.hasDevelopmentDatabase && values.adminUrl === undefined) return []
    const { inspect } = await import('./inspection.ts')
    return inspect(await resolveSettings(values, facts), (await facts.databaseUrl) ?? '')
  },
  needs: [sqlHost, archiveServer],
}
