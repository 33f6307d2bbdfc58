import { type Database, virtualClock } from '@icosa/kernel'
import { print, type ServiceCommand, table, text, UsageError } from '@icosa/module'
import { hasTablespace, listPartitions, movePartition, partitioned, wrongClosings } from '../ledger/partitions-store.ts'
import { prove } from '../ledger/store.ts'
import { seedMonth } from './month.ts'

export const bank: ServiceCommand = {
  name: 'bank',
  usage: 'bank seed | prove [--tenant dev] | partitions | archive --tablespace NAME',
  summary:
    'Make a month of a person and a shop, all of it synthetic; prove that the books balance; move closed ones to another disk.',
  flags: { tenant: { type: 'string', default: 'dev' }, json: { type: 'boolean' }, tablespace: { type: 'string' } },
  async run({ words: [action = ''], flags, withDatabase }) {
    const act = actions[action]
    if (!act) throw new UsageError(`Usage: icosa ${bank.usage}`)
    const given = {
      tenant: text(flags, 'tenant') ?? 'dev',
      asJson: flags.json === true,
      tablespace: text(flags, 'tablespace'),
    }
    await withDatabase((database) => act(database, given))
  },
}

interface Given {
  readonly tenant: string
  readonly asJson: boolean
  readonly tablespace: string | undefined
}

const actions: Readonly<Record<string, (database: Database, given: Given) => Promise<void>>> = {
  async seed(database, { tenant, asJson }) {
    const seeded = await seedMonth(database, await virtualClock(database), tenant)
    if (asJson) return print(JSON.stringify(seeded))
    const { person, shop, payments } = seeded
    print(`${payments} payments of a person and a shop. Nothing of this is real.`)
    for (const [name, { user, iban, key }] of Object.entries({ person, shop }))
      print(`${name.padEnd(6)}  user ${user}  ${iban}  key ${key}`)
  },

  async prove(database, { tenant }) {
    const { sum, unproven, overdrawn, misheld } = await prove(database, tenant)
    const problems = [
      ...(sum === 0n ? [] : [`all balances sum to ${sum}`]),
      ...unproven.map((id) => `account ${id} is not what its postings say`),
      ...overdrawn.map((id) => `account ${id} is below its limit`),
      ...misheld.map((id) => `account ${id} has reserved what no hold says`),
      ...(await wrongClosings(database, tenant)).map(
        ({ account, until }) =>
          `account ${account} was closed before transaction ${until} with another sum than its postings'`,
      ),
    ]
    if (problems.length > 0) throw new UsageError(`The books of ${tenant} do not balance: ${problems.join('; ')}.`)
    print(`The books of ${tenant} balance: every balance is the sum of its postings, and all of them sum to zero.`)
  },
  async partitions(database, { asJson }) {
    const all = await everyPartition(database)
    if (asJson) return print(JSON.stringify(all))
    const rows = all.map(({ name, until, isClosed, rows, bytes, tablespace }) => [
      ...[name, until.toLocaleString('en'), isClosed ? 'closed' : 'open'],
      ...[rows.toLocaleString('en'), `${(bytes / 1e6).toFixed(1)} MB`, tablespace],
    ])
    print(table(['partition', 'ids below', '', 'rows, about', 'size', 'tablespace'], rows))
  },

  async archive(database, { tablespace }) {
    if (tablespace === undefined)
      throw new UsageError('Say where to, by --tablespace: PostgreSQL has `create tablespace`.')
    if (!(await hasTablespace(database, tablespace)))
      throw new UsageError(`PostgreSQL has no tablespace ${tablespace}: make it by \`create tablespace\`.`)
    const closed = (await everyPartition(database)).filter((one) => one.isClosed && one.tablespace !== tablespace)
    for (const [nth, partition] of closed.entries()) {
      await database.transaction((db) => movePartition(db, partition, tablespace))
      print(`${nth + 1} of ${closed.length}: ${partition.name} is in ${tablespace}.`)
    }
    if (closed.length === 0) print('No closed partition lies elsewhere.')
  },
}

const everyPartition = async (database: Database) =>
  (await Promise.all(partitioned.map((one) => listPartitions(database, one)))).flat()
