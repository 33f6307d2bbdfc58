import { type Database, virtualClock } from '@icosa/kernel'
import { print, type ServiceCommand, table, text, UsageError } from '@icosa/module'
import { archive, everyPartition } from '../ledger/archive.ts'
import { closingMismatches, hasTablespace } from '../ledger/partitions-store.ts'
import { reconcile } from '../ledger/store.ts'
import { seedMonth } from './month.ts'

export const bank: ServiceCommand = {
  name: 'bank',
  usage: 'bank seed | prove [--tenant dev] | partitions | archive [--tablespace NAME]',
  summary:
    'Create a month of synthetic payments between a person and a shop; reconcile the books; sort closed partitions by account, and move them to another disk.',
  flags: { tenant: { type: 'string', default: 'dev' }, json: { type: 'boolean' }, tablespace: { type: 'string' } },
  audited: { seed: ['tenant'], prove: false, partitions: false, archive: ['tablespace'] },
  async run({ words: [action = ''], flags, withDatabase }) {
    const act = actions[action]
    if (!act) throw new UsageError(`Usage: icosa ${bank.usage}`)
    const options = {
      tenant: text(flags, 'tenant') ?? 'dev',
      asJson: flags.json === true,
      tablespace: text(flags, 'tablespace'),
    }
    await withDatabase((database) => act(database, options))
  },
}

interface Options {
  readonly tenant: string
  readonly asJson: boolean
  readonly tablespace: string | undefined
}

const actions: Readonly<Record<string, (database: Database, options: Options) => Promise<void>>> = {
  async seed(database, { tenant, asJson }) {
    const seeded = await seedMonth(database, await virtualClock(database), tenant)
    if (asJson) return print(JSON.stringify(seeded))
    const { person, shop, payments } = seeded
    print(`${payments} payments between a person and a shop, all of them fictitious.`)
    for (const [name, { user, iban, key }] of Object.entries({ person, shop }))
      print(`${name.padEnd(6)}  user ${user}  ${iban}  key ${key}`)
  },

  async prove(database, { tenant }) {
    const { sum, balanceMismatches, overdrawn, holdMismatches } = await reconcile(database, tenant)
    const problems = [
      ...(sum === 0n ? [] : [`all balances sum to ${sum}`]),
      ...balanceMismatches.map((id) => `the balance of account ${id} is not the sum of its postings`),
      ...overdrawn.map((id) => `account ${id} exceeds its overdraft limit`),
      ...holdMismatches.map((id) => `the reserved amount of account ${id} is not the sum of its holds`),
      ...(await closingMismatches(database, tenant)).map(
        ({ account, until }) =>
          `the closing of account ${account} before transaction ${until} is not the sum of its postings`,
      ),
    ]
    if (problems.length > 0) throw new UsageError(`The books of ${tenant} do not balance: ${problems.join('; ')}.`)
    print(`The books of ${tenant} balance: every balance is the sum of its postings, and all of them sum to zero.`)
  },
  async partitions(database, { asJson }) {
    const all = await everyPartition(database)
    if (asJson) return print(JSON.stringify(all))
    const rows = all.map(({ name, until, isClosed, isSorted, rows, bytes, tablespace }) => [
      ...[name, until.toLocaleString('en'), isSorted ? 'sorted' : isClosed ? 'closed' : 'open'],
      ...[rows.toLocaleString('en'), `${(bytes / 1e6).toFixed(1)} MB`, tablespace],
    ])
    print(table(['partition', 'ids below', '', 'rows, about', 'size', 'tablespace'], rows))
  },

  async archive(database, { tablespace }) {
    if (tablespace !== undefined && !(await hasTablespace(database, tablespace)))
      throw new UsageError(`PostgreSQL has no tablespace ${tablespace}: create it with \`create tablespace\`.`)
    const where = tablespace === undefined ? '' : `, in ${tablespace}`
    const count = await archive(database, {
      tablespace,
      onProgress: (done, all, { name }) => print(`${done} of ${all}: ${name} is sorted by account${where}.`),
    })
    if (count === 0) print('All closed partitions are already archived.')
  },
}
