import { virtualClock } from '@icosa/kernel'
import { durationMs, print, remark, text, UsageError } from '@icosa/module'
import { ensureSigningKeys, issueToken, revoke } from '@icosa/tokens'
import type { Arguments, Command } from '../../command.ts'
import { baseUrlOf } from '../../config.ts'
import { withDatabase } from '../../database.ts'
import { addressed } from '../../dev/instance.ts'
import { readPermissions } from '../../permissions.ts'
import { vaultOf } from '../../vault.ts'

const maxMs = 24 * 3_600_000

export const token: Command = {
  name: 'token',
  usage: "token --tenant T [--permissions 'sql-databases:*,...'] [--name N] [--expires 1h] | revoke NAME",
  summary: 'Print an access token for services that accept bearer tokens; every node can verify it on its own.',
  flags: {
    tenant: { type: 'string' },
    permissions: { type: 'string', default: '*' },
    name: { type: 'string' },
    expires: { type: 'string', default: '1h' },
  },
  audited: ['tenant', 'permissions', 'name', 'expires'],
  async run(args) {
    if (args.words[0] === 'revoke') return end(args)
    return issue(args)
  },
}

async function issue({ flags, config, note }: Arguments): Promise<void> {
  const tenant = text(flags, 'tenant')
  if (tenant === undefined) throw new UsageError('Whose token is it? Add --tenant NAME.')
  const permissions = await readPermissions(text(flags, 'permissions'))
  const lifetimeMs = durationMs(text(flags, 'expires') ?? '1h')
  if (lifetimeMs < 1_000 || lifetimeMs > maxMs)
    throw new UsageError('A token lasts between 1s and 24h: for longer, create a key.')
  const subject = text(flags, 'name') ?? `shell-${tenant}`
  note({ id: subject })
  const created = await withDatabase(config, async (database) => {
    const clock = await virtualClock(database)
    const vault = await vaultOf(config, database)
    await ensureSigningKeys(database, clock, vault)
    const issuer = baseUrlOf(addressed(config))
    return issueToken(database, clock, vault, { subject, tenant, permissions, lifetimeMs, issuer })
  })
  print(created)
  remark(
    `Send it as 'Authorization: Bearer ...'. \`icosa token revoke ${subject}\` revokes it on every node within a second.`,
  )
}

async function end({ words, config }: Arguments): Promise<void> {
  const name = words[1]
  if (name === undefined) throw new UsageError('Which one? Give the name that `icosa token` printed.')
  await withDatabase(config, (database) => revoke(database, name))
  remark(`All tokens issued to ${name} so far are now refused.`)
}
