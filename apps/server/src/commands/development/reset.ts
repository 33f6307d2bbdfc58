import { remark, text, UsageError } from '@icosa/module'
import { deleteBlobs, resetState } from '@icosa/platform/state'
import { blobsFor } from '../../blobs.ts'
import type { Command } from '../../command.ts'
import { withDatabase } from '../../database.ts'

export const reset: Command = {
  name: 'reset',
  usage: 'reset [--service NAME] [--tenant NAME] [--yes]',
  summary: 'Delete the data of all services, of one service, or of one tenant. Keys are kept.',
  flags: { service: { type: 'string' }, tenant: { type: 'string' }, yes: { type: 'boolean' } },
  audited: ['service', 'tenant'],
  async run({ flags, config }) {
    if (config.databaseUrl && flags.yes !== true)
      throw new UsageError('DATABASE_URL names a database that may be in use: add --yes to delete its data.')
    const scope = { service: text(flags, 'service'), tenant: text(flags, 'tenant') }
    const { rows, blobPrefixes } = await withDatabase(config, (database) =>
      database.transaction((db) => resetState(db, scope)),
    )
    if (blobPrefixes.length > 0) {
      const blobs = await blobsFor(config)
      for (const prefix of blobPrefixes) await deleteBlobs(blobs, prefix)
    }
    remark(`Deleted ${rows} rows.`)
  },
}
