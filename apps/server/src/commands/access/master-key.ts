import type { Database } from '@icosa/kernel'
import { print, remark, table, UsageError } from '@icosa/module'
import { dataKeys, openVault } from '@icosa/tokens'
import type { Arguments, Command } from '../../command.ts'
import { withDatabase } from '../../database.ts'
import { everySecond } from '../../master-key/progress.ts'
import { nameOf } from '../../master-key/reseal.ts'
import { type Rotated, rotate as rotateTo } from '../../master-key/rotate.ts'
import * as store from '../../master-key/store.ts'
import { allSealed, masterKeysOf } from '../../vault.ts'

export const masterKey: Command = {
  name: 'master-key',
  usage: 'master-key status | rotate [--stolen]',
  summary:
    'Replace the master key while the nodes run, with ICOSA_MASTER_KEY=new,old on all of them, and re-encrypt the keys under it. Safe to interrupt and run again.',
  flags: { stolen: { type: 'boolean' }, json: { type: 'boolean' } },
  audited: { status: false, rotate: ['stolen'] },
  async run(args) {
    const action = { status, rotate }[args.words[0] ?? '']
    if (!action) throw new UsageError(`Usage: icosa ${masterKey.usage}`)
    await withDatabase(args.config, async (database) => {
      const masterKeys = await masterKeysOf(args.config, database)
      await openVault(database, { masterKeys, sealed: allSealed }) // refuses wrong keys; creates data keys if there are none
      await action(args, database, dataKeys.masterKeysOf(masterKeys))
    })
  },
}

async function status({ flags }: Arguments, database: Database, masters: dataKeys.MasterKeys): Promise<void> {
  const rows = await dataKeys.read(database)
  const columns = await dataKeys.existing(database, await allSealed())
  const opening = dataKeys.opening(rows)
  const sealsNow = rows.findLast(({ purpose, inUse }) => purpose === 'seal' && inUse)?.id
  const values = []
  for (const column of columns)
    for (const count of await store.counts(database, column))
      values.push({ column: nameOf(column), dataKey: count.id, values: count.values })
  if (flags.json === true)
    return print(JSON.stringify({ given: masters.map(({ id }) => id), opening, sealsNow, values }))
  print(`ICOSA_MASTER_KEY          ${masters.map(({ id }) => id).join(', ')}`)
  print(`opens this database       ${opening.join(', ')}`)
  print(`active data key           ${sealsNow}\n`)
  const cells = values.map((row) => [row.column, row.dataKey, String(row.values)])
  print(table(['sealed', 'data key', 'values'], cells))
}

async function rotate({ flags }: Arguments, database: Database, masters: dataKeys.MasterKeys): Promise<void> {
  const rotated = await rotateTo({
    database,
    masters,
    sealed: await allSealed(),
    isStolen: flags.stolen === true,
    onProgress: everySecond(),
    onRemark: remark,
  })
  if (flags.json === true) print(JSON.stringify(rotated))
  for (const line of outcome(rotated, masters)) remark(line)
  if (flags.stolen === true)
    remark('Restart all nodes: cookies and signed URLs from before the restart stop working then.')
  if (rotated.left > 0) process.exitCode = 1
}

function outcome({ left, unopened, retired, sealedUnder }: Rotated, masters: dataKeys.MasterKeys): string[] {
  const broken = unopened.map(
    ({ column, context }) => `Could not be decrypted, and was left unchanged: ${column} of '${context}'.`,
  )
  const [first] = masters
  if (left > 0)
    return [...broken, `${left} values are still sealed under older data keys: keep all master keys, and run it again.`]
  const sealed = `The keys of tenants and the secrets of the cell are sealed under the data key ${sealedUnder}, which the master key ${first.id} opens.`
  if (retired.length > 0)
    return [...broken, sealed, `Remove ${retired.join(', ')} from ICOSA_MASTER_KEY: it no longer opens anything here.`]
  const advice =
    masters.length > 1
      ? 'The others in ICOSA_MASTER_KEY are not needed: remove them.'
      : 'To replace it, put a new key in front of it.'
  return [...broken, sealed, advice]
}
