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
import { disablePerson, invitePerson, listUsers, type OperatorContext, openInvitations } from '../people/operator.ts'
import { identitySettings, type settings } from '../settings.ts'

export const people: ServiceCommand<ValuesOf<typeof settings>> = {
  name: 'people',
  usage:
    "people invite EMAIL [--tenant T] [--permissions '*'] | list [--tenant T] [--json] | disable EMAIL | enable EMAIL",
  summary: 'Manage users. Invitations are sent by mail; with --tenant, the invited user acts for that tenant.',
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
        cellVault: await vaultOf(database),
        settings: identitySettings(args.settings, facts.developmentDirectory),
        publicUrl: facts.baseUrl,
      }),
    )
  },
}

type CommandArguments = Arguments & Pick<ServiceArguments, 'readPermissions'>

const actions: Readonly<Record<string, (args: CommandArguments, context: OperatorContext) => Promise<void>>> = {
  async invite({ words, flags, readPermissions }, context) {
    const email = emailOf(words)
    const requested = text(flags, 'permissions')
    const permissions = requested === undefined ? undefined : await readPermissions(requested)
    const tenant = text(flags, 'tenant')
    await invitePerson(context, { email, tenant, permissions, invitedBy: context.settings.brand })
    remark(`A worker mails ${email} a link that works for 7 days.`)
  },

  async list({ flags }, context) {
    const tenant = text(flags, 'tenant')
    const people = await listUsers(context, tenant)
    const invited = await openInvitations(context, tenant)
    if (flags.json === true) return print(JSON.stringify([...people, ...invited]))
    const rows = people.map(({ id, email, emailVerified, tenant, permissions, disabledAt }) => [
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

  async disable({ words, note }, context) {
    note({ tenant: await disablePerson(context, emailOf(words), true) })
    remark('Disabled and signed out everywhere; tokens are rejected.')
  },

  async enable({ words, note }, context) {
    note({ tenant: await disablePerson(context, emailOf(words), false) })
    remark('They can sign in again.')
  },
}

function emailOf([, email]: Arguments['words']): string {
  if (email === undefined) throw new UsageError('Which user? Give an e-mail address.')
  return email
}
