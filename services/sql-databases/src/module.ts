import { found, missing, type Need, postgresAt, type ServiceModule } from '@icosa/module'
import { settings, settled, type Values } from './settings.ts'

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

const archiveServer: Need<Values> = {
  name: 'postgres of the SQL host',
  purpose: 'replays the log of the SQL host, for databases that are backed up continuously; of the very same version',
  isOptional: true,
  remedy: {
    debian: 'sudo apt install postgresql-15, or the version of your SQL host',
    macos: 'brew install postgresql@15, or the version of your SQL host',
    other:
      'Install the server of PostgreSQL in the version of your SQL host, and set ICOSA_SQL_PROGRAMS to its folder.',
  },
  async check(values, facts) {
    const { archiveUrl, programs, serverPrograms } = await settled(values, facts)
    if (archiveUrl === undefined) {
      const isLater = facts.hasDevelopmentDatabase && values.sharedHost && values.adminUrl === undefined
      return isLater
        ? found("development mode's own")
        : missing('ICOSA_SQL_ARCHIVE_URL is not set: nothing is archived')
    }
    const host = await postgresAt(archiveUrl)
    const major = Number(/PostgreSQL (\d+)/.exec(host.detail)?.[1])
    if (!host.isThere || Number.isNaN(major)) return host
    const { serverProgramFor } = await import('./backups/programs.ts')
    const path = await serverProgramFor(major, programs, await serverPrograms?.())
    return path === undefined ? missing(`there is none of version ${major}`) : found(path)
  },
}

export const module: ServiceModule<Values> = {
  settings,
  async create(values, facts) {
    const { sqlDatabases } = await import('./index.ts')
    return sqlDatabases(await settled(values, facts))
  },
  gaps: () => import('./unsupported.ts'),
  tenancy: () => import('./tenancy.ts'),
  async inspect(values, facts) {
    if (values.sharedHost && facts.hasDevelopmentDatabase && values.adminUrl === undefined) return []
    const { inspect } = await import('./inspection.ts')
    return inspect(await settled(values, facts), (await facts.databaseUrl) ?? '')
  },
  needs: [sqlHost, archiveServer],
}
