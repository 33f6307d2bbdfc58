import { disablePerson, everybody, invitePerson, type Workbench } from '@icosa/identity-connect/operator'
import { virtualClock } from '@icosa/kernel'
import { type Arguments, type Command, print, remark, table, text, UsageError } from '../command.ts'
import { withDatabase } from '../database.ts'
import { settledConfig } from '../dev/settings.ts'
import { baseUrlOf } from '../node.ts'
import { vaultOf } from '../vault.ts'

export const people: Command = {
  name: 'people',
  usage: "people invite EMAIL [--tenant T] [--permissions '*'] | list [--tenant T] | disable EMAIL | enable EMAIL",
  summary: 'Who may sign in. An invitation goes out by mail; with --tenant they then act for that tenant.',
  flags: { tenant: { type: 'string' }, permissions: { type: 'string' }, json: { type: 'boolean' } },
  async run(args) {
    const action = actions[args.words[0] ?? '']
    if (!action) throw new UsageError(`Usage: icosa ${people.usage}`)
    const config = await settledConfig(args.config)
    await withDatabase(args.config, async (database) =>
      action(args, {
        database,
        clock: await virtualClock(database),
        vault: await vaultOf(config, database),
        settings: config.identity,
        publicUrl: baseUrlOf(config),
      }),
    )
  },
}

const actions: Readonly<Record<string, (args: Arguments, bench: Workbench) => Promise<void>>> = {
  async invite({ words, flags }, bench) {
    const email = emailOf(words)
    const permissions = text(flags, 'permissions')?.split(',')
    const tenant = text(flags, 'tenant')
    await invitePerson(bench, { email, tenant, permissions, invitedBy: bench.settings.brand })
    remark(`A worker mails ${email} a link that works for 7 days.`)
  },

  async list({ flags }, bench) {
    const found = await everybody(bench, text(flags, 'tenant'))
    if (flags.json === true) return print(JSON.stringify(found))
    const rows = found.map(({ id, email, emailVerified, tenant, permissions, disabledAt }) => [
      id,
      email,
      disabledAt ? 'disabled' : emailVerified ? 'verified' : 'not verified',
      tenant,
      permissions.join(','),
    ])
    print(table(['id', 'e-mail', 'state', 'acts for', 'permissions'], rows))
  },

  async disable({ words }, bench) {
    await disablePerson(bench, emailOf(words), true)
    remark('Disabled, signed out everywhere, tokens refused.')
  },

  async enable({ words }, bench) {
    await disablePerson(bench, emailOf(words), false)
    remark('They can sign in again.')
  },
}

function emailOf([, email]: Arguments['words']): string {
  if (email === undefined) throw new UsageError('Who? Give an e-mail address.')
  return email
}
