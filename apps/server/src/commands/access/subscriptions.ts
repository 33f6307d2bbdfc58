import { bindSubscription, listSubscriptions, releaseSubscription } from '@icosa/dialects/arm/bindings'
import { virtualClock } from '@icosa/kernel'
import { print, remark, table, text, UsageError } from '@icosa/module'
import type { Arguments, Command } from '../../command.ts'
import { withDatabase } from '../../database.ts'

export const subscriptions: Command = {
  name: 'subscriptions',
  usage: 'subscriptions bind ID --tenant T | release ID [--force] | list [--tenant T]',
  summary: 'Assign subscriptions to tenants, and release them. A subscription without a tenant cannot be used.',
  flags: { tenant: { type: 'string' }, force: { type: 'boolean' }, json: { type: 'boolean' } },
  audited: { bind: ['tenant'], release: ['force'], list: false },
  async run(args) {
    const action = { bind, release, list }[args.words[0] ?? '']
    if (!action) throw new UsageError(`Usage: icosa ${subscriptions.usage}`)
    await action(args)
  },
}

async function bind({ words, flags, config }: Arguments): Promise<void> {
  const id = idOf(words)
  const tenant = text(flags, 'tenant')
  if (tenant === undefined) throw new UsageError('Whose is it? Add --tenant NAME.')
  await withDatabase(config, async (database) => {
    const clock = await virtualClock(database)
    await database.transaction((db) => bindSubscription(db, clock, id, tenant), tenant)
  })
  remark(`${id} now belongs to ${tenant}; other tenants cannot see it.`)
}

async function release({ words, flags, config, note }: Arguments): Promise<void> {
  const id = idOf(words)
  const { tenant, resources } = await withDatabase(config, async (database) => {
    const released = await database.transaction((db) => releaseSubscription(db, id, flags.force === true))
    note({ tenant: released.tenant })
    return released
  })
  const rest = resources > 0 ? ` ${tenant} still has ${resources} resources in it, which can no longer be reached.` : ''
  remark(`${id} no longer belongs to any tenant.${rest}`)
}

async function list({ flags, config }: Arguments): Promise<void> {
  const subscriptions = await withDatabase(config, (database) => listSubscriptions(database, text(flags, 'tenant')))
  if (flags.json === true) return print(JSON.stringify(subscriptions))
  const rows = subscriptions.map(({ id, tenant, since }) => [id, tenant, since.toISOString()])
  print(table(['id', 'tenant', 'since'], rows))
}

function idOf([, id]: Arguments['words']): string {
  if (id === undefined) throw new UsageError('Which one? Give the id of a subscription.')
  return id
}
