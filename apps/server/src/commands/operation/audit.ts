import { type Database, virtualClock } from '@icosa/kernel'
import { print, remark, table, text, UsageError, whole } from '@icosa/module'
import { type AuditRow, auditKeyPurpose, heads, newest, rowsAfter, verifyAudit } from '@icosa/platform/audit'
import { auditDays } from '@icosa/platform/retention'
import type { Arguments, Command } from '../../command.ts'
import { withDatabase } from '../../database.ts'
import { vaultOf } from '../../vault.ts'

export const audit: Command = {
  name: 'audit',
  usage: 'audit list [--tenant T] [--limit 50] [--json] | verify [--tenant T] [--json] | export [--tenant T]',
  summary: 'Show who changed what; check that nobody has changed the log; write it as lines of JSON.',
  flags: { tenant: { type: 'string' }, limit: { type: 'string' }, json: { type: 'boolean' } },
  async run(args) {
    const action = { list, verify, export: exportAll }[args.words[0] ?? '']
    if (!action) throw new UsageError(`Usage: icosa ${audit.usage}`)
    await withDatabase(args.config, (database) => action(args, database))
  },
}

async function list({ flags }: Arguments, database: Database): Promise<void> {
  const found = await newest(database, text(flags, 'tenant'), whole(flags, 'limit', 50))
  if (flags.json === true) return print(JSON.stringify(found.map(shown)))
  const rows = found.map(({ tenant, at, caller, address, service, operation, resource, status }) => [
    at.toISOString(),
    tenant,
    caller,
    address,
    `${service}:${operation}`,
    String(status),
    resource,
  ])
  print(table(['at', 'tenant', 'who', 'from', 'operation', 'status', 'resource'], rows))
}

const dayMs = 86_400_000

async function verify({ flags, config }: Arguments, database: Database): Promise<void> {
  const key = (await vaultOf(config, database)).derive(auditKeyPurpose)
  const days = config.keepDays['platform.audit'] ?? auditDays
  const now = (await virtualClock(database)).now().getTime()
  // What is pruned within the hour may still be there, or have just gone.
  const keptSince = new Date(now - days * dayMs + 2 * 3_600_000)
  const all = await verifyAudit(database, { key, keptSince, tenant: text(flags, 'tenant') })
  const problems = all.flatMap((one) => one.problems)
  if (problems.length > 0) process.exitCode = 1
  if (flags.json === true)
    return print(JSON.stringify(all.map(({ head, ...one }) => ({ ...one, head: head?.hash.toString('hex') }))))
  for (const { tenant, number, what } of problems) print(`${tenant || 'the platform'}: row ${number} ${what}.`)
  const ends = all.map(({ tenant, rows, head }) => [
    tenant || '(the platform)',
    String(rows),
    head?.hash.toString('hex') ?? '',
  ])
  print(table(['tenant', 'rows', 'end'], ends))
  remark(
    problems.length === 0
      ? 'Nothing was changed. Keep the ends elsewhere: they show if rows are cut off.'
      : `${problems.length} problems.`,
  )
}

async function exportAll({ flags }: Arguments, database: Database): Promise<void> {
  for (const { tenant } of await heads(database, text(flags, 'tenant')))
    for (let rows = await rowsAfter(database, tenant, 0, 1000); rows.length > 0; ) {
      for (const row of rows) print(JSON.stringify(shown(row)))
      rows = await rowsAfter(database, tenant, rows.at(-1)?.number ?? 0, 1000)
    }
}

const shown = ({ previous, hash, ...row }: AuditRow) => ({
  ...row,
  previous: previous?.toString('hex') ?? null,
  hash: hash.toString('hex'),
})
