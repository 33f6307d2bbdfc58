import { UsageError } from '@icosa/module'
import type { Config } from '../../config.ts'
import type { Development } from '../development.ts'
import { runningDevPostgres } from '../postgres.ts'
import { type SnapshotFolder, snapshotFolder } from './folder.ts'

export type Snapshots = Omit<SnapshotFolder, 'recover' | 'existing'>

/** Snapshots of a running instance, which stops for them and restarts with no state in memory. */
export function snapshotsOf(development: Development, config: Config): Snapshots {
  const { list, save, restore, compare, delete: remove } = snapshotsIn(config)
  const { existing } = snapshotFolder(config)
  /** Snapshots saved by this instance. The tables of others may be those of another Icosa version. */
  const own = new Set<string>()
  return {
    list,
    compare,
    delete: remove,
    save: (name) =>
      development.whileStopped({ discarding: false }, async () => {
        own.delete(name)
        const saved = await save(name)
        own.add(name)
        return saved
      }),
    async restore(name) {
      await existing(name)
      return development.whileStopped({ discarding: true, prepared: own.has(name) }, () => restore(name))
    },
  }
}

/** Snapshots of a folder without a running instance. */
export function snapshotsIn(config: Config): Snapshots {
  const folder = snapshotFolder(config)
  if (config.databaseUrl)
    throw new UsageError(
      'Snapshots cover only the data folder of development mode, including its PostgreSQL. Unset DATABASE_URL to use that one.',
    )
  const alone = async () => {
    if (await runningDevPostgres(config.dataDirectory))
      throw new UsageError(`Another program uses the database in ${config.dataDirectory}: stop it first.`)
  }
  return {
    list: folder.list,
    compare: folder.compare,
    delete: folder.delete,
    save: async (name) => alone().then(() => folder.save(name)),
    async restore(name) {
      await folder.existing(name)
      await alone()
      return folder.restore(name)
    },
  }
}
