import { join } from 'node:path'
import { backup } from '@icosa/backup'
import { settings } from '@icosa/backup/settings'
import type { Service } from '@icosa/kernel'
import { defaultSettings, sqlDatabases } from '@icosa/sql-databases'

export interface ContinuousOptions {
  readonly folder: string
  readonly adminUrl: string
  readonly archiveUrl: string
  /** Where the server itself is, if it is not where it usually is. */
  readonly programs?: string
}

/** Databases on a SQL host that is archived, and vaults for them. */
export function continuousServices(options: ContinuousOptions): [databases: Service, vaults: Service] {
  const { folder, programs, ...host } = options
  return [
    sqlDatabases({
      ...defaultSettings,
      ...host,
      sharedHost: true,
      recoveryFolder: join(folder, 'recovery'),
      ...(programs !== undefined && { serverPrograms: async () => programs }),
    }),
    backup({ ...settings.read({}), region: 'us-east-1', repositories: join(folder, 'repositories') }),
  ]
}
