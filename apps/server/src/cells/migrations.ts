import { type Database, migrate, readMigrations } from '@icosa/kernel'

/** Creates or updates the schema `directory`, in a database of its own or that of a cell. May be repeated. */
export const migrateDirectory = async (database: Database): Promise<void> =>
  migrate(
    database,
    await readMigrations([{ owner: 'directory', directory: new URL('../../migrations/', import.meta.url) }]),
  )
