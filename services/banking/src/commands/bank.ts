import { type Database, virtualClock } from '@icosa/kernel'
import { print, type ServiceCommand, table, text, UsageError } from '@icosa/module'
import { archive, everyPartition } from '../ledger/archive.ts'
import { hasTablespace, wrongClosings } from '../ledger/partitions-store.ts'
import { prove } from '../ledger/store.ts'
import { seedMonth } from './month.ts'

export const bank: ServiceCommand = {
  name: 'bank',
  usage: 'bank seed | prove [--tenant dev] | partitions | archive [--tablespace NAME]',
  summary:
    'Make a month of a person and a shop, all of it synthetic; prove that the books balance; sort closed ones by account, and move them to another disk.',
  flags: { tenant: { type: 'string', default: 'dev' }, json: { type: 'boolean' }, tablespace: { type: 'string' } },
  audited: { seed: ['tenant'], prove: false, partitions: false, archive: ['tablespace'] },
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
    const rows = all.map(({ name, until, isClosed, isSorted, rows, bytes, tablespace }) => [
      ...[name, until.toLocaleString('en'), isSorted ? 'sorted' : isClosed ? 'closed' : 'open'],
      ...[rows.toLocaleString('en'), `${(bytes / 1e6).toFixed(1)} MB`, tablespace],
    ])
    print(table(['partition', 'ids below', '', 'rows, about', 'size', 'tablespace'], rows))
  },

  async archive(database, { tablespace }) {
    if (tablespace !== undefined && !(await hasTablespace(database, tablespace)))
      throw new UsageError(`PostgreSQL has no tablespace ${tablespace}: make it by \`create tablespace\`.`)
    const where = tablespace === undefined ? '' : `, in ${tablespace}`
    const count = await archive(database, {
      tablespace,
      onProgress: (done, all, { name }) => print(`${done} of ${all}: ${name} is sorted by account${where}.`),
    })
    if (count === 0) print('Every closed partition is in the archive already.')
  },
}
