import { type Database, virtualClock } from '@icosa/kernel'
import { print, type ServiceCommand, text, UsageError } from '@icosa/module'
import { prove } from '../ledger/store.ts'
import { seedMonth } from './month.ts'

export const bank: ServiceCommand = {
  name: 'bank',
  usage: 'bank seed | prove [--tenant dev]',
  summary: 'Make a month of a person and a shop, all of it synthetic; or prove that the books balance.',
  flags: { tenant: { type: 'string', default: 'dev' }, json: { type: 'boolean' } },
  async run({ words: [action = ''], flags, withDatabase }) {
    const act = actions[action]
    if (!act) throw new UsageError(`Usage: icosa ${bank.usage}`)
    await withDatabase((database) => act(database, text(flags, 'tenant') ?? 'dev', flags.json === true))
  },
}

const actions: Readonly<Record<string, (database: Database, tenant: string, asJson: boolean) => Promise<void>>> = {
  async seed(database, tenant, asJson) {
    const seeded = await seedMonth(database, await virtualClock(database), tenant)
    if (asJson) return print(JSON.stringify(seeded))
    const { person, shop, payments } = seeded
    print(`${payments} payments of a person and a shop. Nothing of this is real.`)
    for (const [name, { user, iban, key }] of Object.entries({ person, shop }))
      print(`${name.padEnd(6)}  user ${user}  ${iban}  key ${key}`)
  },

  async prove(database, tenant) {
    const { sum, unproven, overdrawn, misheld } = await prove(database, tenant)
    const problems = [
      ...(sum === 0n ? [] : [`all balances sum to ${sum}`]),
      ...unproven.map((id) => `account ${id} is not what its postings say`),
      ...overdrawn.map((id) => `account ${id} is below its limit`),
      ...misheld.map((id) => `account ${id} has reserved what no hold says`),
    ]
    if (problems.length > 0) throw new UsageError(`The books of ${tenant} do not balance: ${problems.join('; ')}.`)
    print(`The books of ${tenant} balance: every balance is the sum of its postings, and all of them sum to zero.`)
  },
}
