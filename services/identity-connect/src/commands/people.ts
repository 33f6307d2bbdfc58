import { virtualClock } from '@icosa/kernel'
import {
  type Arguments,
  print,
  remark,
  type ServiceArguments,
  type ServiceCommand,
  table,
  text,
  UsageError,
} from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { disablePerson, everybody, invitePerson, openInvitations, type Workbench } from '../people/operator.ts'
import { identitySettings, type settings } from '../settings.ts'

export const people: ServiceCommand<ValuesOf<typeof settings>> = {
  name: 'people',
  usage:
    "people invite EMAIL [--tenant T] [--permissions '*'] | list [--tenant T] [--json] | disable EMAIL | enable EMAIL",
  summary: 'Who may sign in. An invitation goes out by mail; with --tenant they then act for that tenant.',
  flags: { tenant: { type: 'string' }, permissions: { type: 'string' }, json: { type: 'boolean' } },
  audited: { invite: ['tenant', 'permissions'], list: false, disable: [], enable: [] },
  async run(args) {
    const action = actions[args.words[0] ?? '']
    if (!action) throw new UsageError(`Usage: icosa ${people.usage}`)
    const { facts, withDatabase, vaultOf } = args
    await withDatabase(async (database) =>
      action(args, {
        database,
        clock: await virtualClock(database),
        vault: await vaultOf(database),
        settings: identitySettings(args.settings, facts.developmentDirectory),
        publicUrl: facts.baseUrl,
      }),
    )
  },
}

type Given = Arguments & Pick<ServiceArguments, 'readPermissions'>

const actions: Readonly<Record<string, (args: Given, bench: Workbench) => Promise<void>>> = {
  async invite({ words, flags, readPermissions }, bench) {
    const email = emailOf(words)
    const requested = text(flags, 'permissions')
    const permissions = requested === undefined ? undefined : await readPermissions(requested)
    const tenant = text(flags, 'tenant')
    await invitePerson(bench, { email, tenant, permissions, invitedBy: bench.settings.brand })
    remark(`A worker mails ${email} a link that works for 7 days.`)
  },

  async list({ flags }, bench) {
    const tenant = text(flags, 'tenant')
    const found = await everybody(bench, tenant)
    const invited = await openInvitations(bench, tenant)
    if (flags.json === true) return print(JSON.stringify([...found, ...invited]))
    const rows = found.map(({ id, email, emailVerified, tenant, permissions, disabledAt }) => [
      id,
      email,
      disabledAt ? 'disabled' : emailVerified ? 'verified' : 'not verified',
      tenant,
      permissions.join(','),
    ])
    const open = invited.map(({ email, invitation, expiresAt }) => [
      '',
      email,
      `invited, until ${expiresAt.toISOString()}`,
      invitation.tenant ?? '',
      invitation.permissions?.join(',') ?? '',
    ])
    print(table(['id', 'e-mail', 'state', 'acts for', 'permissions'], [...rows, ...open]))
  },

  async disable({ words, note }, bench) {
    note({ tenant: await disablePerson(bench, emailOf(words), true) })
    remark('Disabled, signed out everywhere, tokens refused.')
  },

  async enable({ words, note }, bench) {
    note({ tenant: await disablePerson(bench, emailOf(words), false) })
    remark('They can sign in again.')
  },
}

function emailOf([, email]: Arguments['words']): string {
  if (email === undefined) throw new UsageError('Who? Give an e-mail address.')
  return email
}
