import { bindSubscription, listSubscriptions, releaseSubscription } from '@icosa/dialects/arm/bindings'
import { virtualClock } from '@icosa/kernel'
import { type Arguments, type Command, print, remark, table, text, UsageError } from '../command.ts'
import { withDatabase } from '../database.ts'

export const subscriptions: Command = {
  name: 'subscriptions',
  usage: 'subscriptions bind ID --tenant T | release ID [--force] | list [--tenant T]',
  summary: 'Give subscriptions to tenants and take them back. One that nobody was given is not there for anybody.',
  flags: { tenant: { type: 'string' }, force: { type: 'boolean' }, json: { type: 'boolean' } },
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
    await database.transaction((db) => bindSubscription(db, clock, id, tenant))
  })
  remark(`${id} is ${tenant}'s; to others it is not there.`)
}

async function release({ words, flags, config }: Arguments): Promise<void> {
  const id = idOf(words)
  const { tenant, resources } = await withDatabase(config, (database) =>
    database.transaction((db) => releaseSubscription(db, id, flags.force === true)),
  )
  const rest = resources > 0 ? ` ${tenant} keeps ${resources} resources that cannot be reached there any more.` : ''
  remark(`${id} is nobody's now.${rest}`)
}

async function list({ flags, config }: Arguments): Promise<void> {
  const found = await withDatabase(config, (database) => listSubscriptions(database, text(flags, 'tenant')))
  if (flags.json === true) return print(JSON.stringify(found))
  const rows = found.map(({ id, tenant, since }) => [id, tenant, since.toISOString()])
  print(table(['id', 'tenant', 'since'], rows))
}

function idOf([, id]: Arguments['words']): string {
  if (id === undefined) throw new UsageError('Which one? Give the id of a subscription.')
  return id
}
