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
  audited: false, // icosa.migrations has what was applied and when, and the audit log may not be there yet
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
      // The one in the data folder stays development mode's until a node serves it.
      if (config.databaseUrl) await database.transaction(takeIntoOperation)
      // A key that does not fit is reported now, not when the nodes are started again.
      if ((await settledConfig(config)).masterKeys.length > 0) await vaultOf(config, database)
    })
    remark(applied === 0 ? 'The database is up to date.' : `${applied} migrations applied.`)
  },
}
