import { prepareDatabase, takeIntoOperation } from '@icosa/kernel'
import { remark } from '@icosa/module'
import type { Command } from '../../command.ts'
import { withDatabase } from '../../database.ts'
import { settledConfig } from '../../dev/settings.ts'
import { withPlatform } from '../../node.ts'
import { allServices } from '../../services.ts'
import { vaultOf } from '../../vault.ts'

export const migrate: Command = {
  name: 'migrate',
  usage: 'migrate',
  summary: 'Bring the database up to date. Safe to run from every node at once.',
  flags: {},
  audited: false, // icosa.migrations records migrations, and the audit log may not exist yet
  async run({ config }) {
    let applied = 0
    await withDatabase(config, async (database) => {
      await prepareDatabase(database, withPlatform(await allServices(), 'virtual'), {
        onApplied({ owner, name }) {
          applied++
          remark(`applied ${owner}/${name}`)
        },
        onWaiting: remark,
      })
      // The database in the data folder belongs to development mode until a node serves it.
      if (config.databaseUrl) await database.transaction(takeIntoOperation)
      // Reports a wrong master key now rather than when the nodes restart.
      if ((await settledConfig(config)).masterKeys.length > 0) await vaultOf(config, database)
    })
    remark(applied === 0 ? 'The database is up to date.' : `${applied} migrations applied.`)
  },
}
