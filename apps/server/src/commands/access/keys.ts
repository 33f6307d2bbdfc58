import { accountOf } from '@icosa/dialects/signed/arn'
import {
  createKey,
  createSigningSecret,
  type IssuedKey,
  type IssuedSigningSecret,
  listCredentials,
  revokeCredential,
  virtualClock,
} from '@icosa/kernel'
import { durationMs, print, remark, table, text, UsageError } from '@icosa/module'
import type { Arguments, Command } from '../../command.ts'
import { withDatabase } from '../../database.ts'
import { readPermissions } from '../../permissions.ts'
import { vaultOf } from '../../vault.ts'

export const keys: Command = {
  name: 'keys',
  usage:
    "keys create --tenant T [--permissions 'backup:*,...'] [--name N] [--expires 30d] [--signing [--session]] | list [--tenant T] | revoke ID",
  summary: 'Create, list and revoke credentials. A secret is shown only once, when it is created.',
  flags: {
    tenant: { type: 'string' },
    permissions: { type: 'string', default: '*' },
    name: { type: 'string', default: '' },
    expires: { type: 'string' },
    signing: { type: 'boolean' },
    session: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  audited: {
    create: ['tenant', 'permissions', 'name', 'expires', 'signing', 'session'],
    list: false,
    revoke: [],
  },
  async run(args) {
    const action = { create, list, revoke }[args.words[0] ?? '']
    if (!action) throw new UsageError(`Usage: icosa ${keys.usage}`)
    await action(args)
  },
}

async function create({ flags, config, note }: Arguments): Promise<void> {
  const tenant = text(flags, 'tenant')
  if (tenant === undefined) throw new UsageError('Whose key is it? Add --tenant NAME.')
  const session = flags.session === true
  const expires = text(flags, 'expires') ?? (session ? '1h' : undefined)
  const permissions = await readPermissions(text(flags, 'permissions'))
  const issued = await withDatabase(config, async (database) => {
    const clock = await virtualClock(database) // the nodes' time, virtual or not
    const credential = {
      tenant,
      name: text(flags, 'name') ?? '',
      permissions,
      expiresAt: expires === undefined ? undefined : new Date(clock.now().getTime() + durationMs(expires)),
    }
    const vault = await vaultOf(config, database)
    const created = await database.transaction<IssuedKey | IssuedSigningSecret>((db) =>
      flags.signing === true || session
        ? createSigningSecret(db, clock, vault, { ...credential, session })
        : createKey(db, clock, credential),
    )
    note({ id: created.id })
    return created
  })
  if (flags.json === true) return print(JSON.stringify(issued))
  print('key' in issued ? issued.key : [issued.id, issued.secret, issued.sessionToken ?? ''].join(' ').trim())
  const account = 'secret' in issued ? `, whose account is ${accountOf(tenant)}` : ''
  remark(`Created ${issued.id} for ${tenant}${account}. Save it now: it will not be shown again.`)
}

async function list({ flags, config }: Arguments): Promise<void> {
  const credentials = await withDatabase(config, (database) => listCredentials(database, text(flags, 'tenant')))
  if (flags.json === true) return print(JSON.stringify(credentials))
  const state = (revokedAt: Date | null, expiresAt: Date | null) =>
    revokedAt ? `revoked ${revokedAt.toISOString()}` : expiresAt ? `until ${expiresAt.toISOString()}` : 'valid'
  const rows = credentials.map(({ id, tenant, kind, name, permissions, revokedAt, expiresAt }) => [
    id,
    tenant,
    kind,
    state(revokedAt, expiresAt),
    permissions.join(','),
    name,
  ])
  print(table(['id', 'tenant', 'kind', 'state', 'permissions', 'name'], rows))
}

async function revoke({ words, config, note }: Arguments): Promise<void> {
  const id = words[1]
  if (id === undefined) throw new UsageError('Which one? `icosa keys list` shows the ids.')
  await withDatabase(config, async (database) =>
    note({ tenant: await revokeCredential(database, await virtualClock(database), id) }),
  )
  remark(`Revoked ${id}. Every node refuses it within a second.`)
}
