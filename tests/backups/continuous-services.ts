import { join } from 'node:path'
import { backup } from '@icosa/backup'
import { settings } from '@icosa/backup/settings'
import type { Service } from '@icosa/kernel'
import { defaultSettings, sqlDatabases } from '@icosa/sql-databases'

export interface ContinuousOptions {
  readonly folder: string
  readonly adminUrl: string
  readonly archiveUrl: string
  /** Default: only databases with a continuous backup are archived. */
  readonly retentionDays?: number
  /** Folder of the server programs, if not the default. */
  readonly programs?: string
}

/** Databases on an archived SQL host, and backup vaults for them. */
export function continuousServices(options: ContinuousOptions): [databases: Service, vaults: Service] {
  const { folder, programs, ...host } = options
  return [
    sqlDatabases({
      ...defaultSettings,
      retentionDays: 0,
      ...host,
      sharedHost: true,
      recoveryFolder: join(folder, 'recovery'),
      ...(programs !== undefined && { serverPrograms: async () => programs }),
    }),
    backup({ ...settings.read({}), region: 'us-east-1', repositories: join(folder, 'repositories') }),
  ]
}
