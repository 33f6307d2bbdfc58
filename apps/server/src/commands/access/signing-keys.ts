import { virtualClock } from '@icosa/kernel'
import { print, remark, table, UsageError } from '@icosa/module'
import { listSigningKeys, rotateSigningKeys } from '@icosa/tokens'
import type { Arguments, Command } from '../../command.ts'
import { withDatabase } from '../../database.ts'
import { vaultOf } from '../../vault.ts'

export const signingKeys: Command = {
  name: 'signing-keys',
  usage: 'signing-keys list | rotate [--now] [--stolen]',
  summary:
    'Show or replace the keys that sign tokens. New ones are published an hour before they sign; a worker replaces them every month.',
  flags: { now: { type: 'boolean' }, stolen: { type: 'boolean' }, json: { type: 'boolean' } },
  audited: { list: false, rotate: ['now', 'stolen'] },
  async run(args) {
    const action = { list, rotate }[args.words[0] ?? '']
    if (!action) throw new UsageError(`Usage: icosa ${signingKeys.usage}`)
    await action(args)
  },
}

async function list({ flags, config }: Arguments): Promise<void> {
  const keys = await withDatabase(config, async (database) => listSigningKeys(database, await virtualClock(database)))
  if (flags.json === true) return print(JSON.stringify(keys))
  const rows = keys.map(({ kid, alg, state, createdAt, publishedUntil }) => [
    kid,
    alg,
    state,
    createdAt.toISOString(),
    publishedUntil?.toISOString() ?? '',
  ])
  print(table(['key', 'algorithm', 'state', 'created', 'published until'], rows))
}

async function rotate({ flags, config }: Arguments): Promise<void> {
  const isStolen = flags.stolen === true
  await withDatabase(config, async (database) =>
    rotateSigningKeys(database, await virtualClock(database), await vaultOf(config, database), {
      ...((flags.now === true || isStolen) && { publishAheadMs: 0 }),
      ...(isStolen && { overlapMs: 0 }),
    }),
  )
  remark(
    isStolen
      ? 'New keys sign from now on. Tokens of the old ones are refused within a second: all users must sign in again.'
      : `New keys are published${flags.now === true ? ' and sign from now on' : '; they sign in an hour'}. Old tokens stay valid.`,
  )
}
