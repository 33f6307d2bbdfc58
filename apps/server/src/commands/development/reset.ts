import { blobStore } from '@icosa/blobs'
import { type Blobs, systemClock } from '@icosa/kernel'
import { remark, text, UsageError } from '@icosa/module'
import { deleteBlobs, resetState } from '@icosa/platform/state'
import type { Command } from '../../command.ts'
import type { Config } from '../../config.ts'
import { withDatabase } from '../../database.ts'
import { settledConfig } from '../../dev/settings.ts'

export const reset: Command = {
  name: 'reset',
  usage: 'reset [--service NAME] [--tenant NAME] [--yes]',
  summary: 'Delete the data of all services, of one service, or of one tenant. Keys are kept.',
  flags: { service: { type: 'string' }, tenant: { type: 'string' }, yes: { type: 'boolean' } },
  async run({ flags, config }) {
    if (config.databaseUrl && flags.yes !== true)
      throw new UsageError('DATABASE_URL names a database that may be in use: add --yes to delete its data.')
    const scope = { service: text(flags, 'service'), tenant: text(flags, 'tenant') }
    const { rows, blobPrefixes } = await withDatabase(config, (database) =>
      database.transaction((db) => resetState(db, scope)),
    )
    if (blobPrefixes.length > 0) {
      const blobs = await blobsOf(config)
      for (const prefix of blobPrefixes) await deleteBlobs(blobs, prefix)
    }
    remark(`Deleted ${rows} rows.`)
  },
}

async function blobsOf(config: Config): Promise<Blobs> {
  const { blobs } = await settledConfig(config)
  if (!blobs) throw new UsageError('Set ICOSA_BLOBS to the folder or bucket in which the nodes keep their blobs.')
  const unsigned = { clock: systemClock, signingKey: new Uint8Array(32), publicUrl: () => '' }
  return (await blobStore(blobs)(unsigned)).blobs
}
