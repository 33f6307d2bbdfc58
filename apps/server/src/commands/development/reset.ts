import { confirmed, isTerminal, remark, text, UsageError } from '@icosa/module'
import { deleteBlobs, type ResetDone, type ResetScope, resetState } from '@icosa/platform/state'
import { blobsFor } from '../../blobs.ts'
import type { Command } from '../../command.ts'
import type { Config } from '../../config.ts'
import { withDatabase } from '../../database.ts'

export const reset: Command = {
  name: 'reset',
  usage: 'reset [--service NAME] [--tenant NAME] [--yes]',
  summary: 'Delete the data of all services, of one service, or of one tenant. Keys are kept.',
  flags: { service: { type: 'string' }, tenant: { type: 'string' }, yes: { type: 'boolean' } },
  audited: ['service', 'tenant'],
  async run({ flags, config }) {
    const scope = { service: text(flags, 'service'), tenant: text(flags, 'tenant') }
    if (flags.yes !== true) await ask(config, scope)
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

/** Shows how much will be deleted and throws unless the user confirms. */
async function ask(config: Config, scope: ResetScope): Promise<void> {
  if (config.databaseUrl)
    throw new UsageError('DATABASE_URL names a database that may be in use: add --yes to delete its data.')
  if (!isTerminal())
    throw new UsageError(
      `This would delete the data of ${wordsOf(scope)} in ${config.dataDirectory}, and there is no terminal to confirm it: add --yes.`,
    )
  const { rows, blobPrefixes } = await counted(config, scope)
  const services = blobPrefixes.length === 1 ? '1 service' : `${blobPrefixes.length} services`
  const whose = scope.tenant === undefined ? '' : ` of the tenant ${scope.tenant}`
  const deletion = `${rows.toLocaleString('en')} rows of ${services}${whose} in ${config.dataDirectory}`
  if (!(await confirmed(`Delete ${deletion}, with their blobs?`))) throw new UsageError('Nothing was deleted.')
}

const wordsOf = ({ service = 'all services', tenant }: ResetScope) =>
  tenant === undefined ? service : `the tenant ${tenant} in ${service}`

/** Dry run: counts the rows that a reset deletes, then rolls it back. */
async function counted(config: Config, scope: ResetScope): Promise<ResetDone> {
  let done: ResetDone | undefined
  const takenBack = new Error('only counted')
  await withDatabase({ ...config, act: undefined }, (database) =>
    database.transaction(async (db) => {
      done = await resetState(db, scope)
      throw takenBack
    }),
  ).catch((error) => {
    if (error !== takenBack) throw error
  })
  return done ?? { rows: 0, blobPrefixes: [] }
}
