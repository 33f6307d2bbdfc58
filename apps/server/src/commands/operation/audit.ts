import { readFile } from 'node:fs/promises'
import { type Database, virtualClock } from '@icosa/kernel'
import { print, remark, table, text, UsageError, whole } from '@icosa/module'
import {
  auditKeyPurpose,
  type Head,
  heads,
  inHex,
  type KeptEnd,
  newest,
  rowsAfter,
  verifyAudit,
} from '@icosa/platform/audit'
import { auditDays } from '@icosa/platform/retention'
import type { Arguments, Command } from '../../command.ts'
import { withDatabase } from '../../database.ts'
import { vaultOf } from '../../vault.ts'

export const audit: Command = {
  name: 'audit',
  usage:
    'audit list [--tenant T] [--limit 50] [--json] | verify [--tenant T] [--ends FILE] [--json] | export [--tenant T]',
  summary:
    'Show who changed what; verify the hash chain of the log, also against the ends that an earlier `verify --json` printed; export it as JSON lines.',
  flags: { tenant: { type: 'string' }, ends: { type: 'string' }, limit: { type: 'string' }, json: { type: 'boolean' } },
  audited: { list: false, verify: false, export: false },
  async run(args) {
    const action = { list, verify, export: exportAll }[args.words[0] ?? '']
    if (!action) throw new UsageError(`Usage: icosa ${audit.usage}`)
    await withDatabase(args.config, (database) => action(args, database))
  },
}

async function list({ flags }: Arguments, database: Database): Promise<void> {
  const entries = await newest(database, text(flags, 'tenant'), whole(flags, 'limit', 50))
  if (flags.json === true) return print(JSON.stringify(entries.map(inHex)))
  const rows = entries.map(({ tenant, at, caller, address, service, operation, resource, status }) => [
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
  const keys = (await vaultOf(config, database)).everDerived(auditKeyPurpose)
  const days = config.keepDays['platform.audit'] ?? auditDays
  const now = (await virtualClock(database)).now().getTime()
  // Rows that expire within the hour may already be pruned.
  const keptSince = new Date(now - days * dayMs + 2 * 3_600_000)
  const ends = await keptEnds(text(flags, 'ends'))
  const all = await verifyAudit(database, { keys, keptSince, ends, tenant: text(flags, 'tenant') })
  const problems = all.flatMap((one) => one.problems)
  if (problems.length > 0) process.exitCode = 1
  if (flags.json === true)
    return print(JSON.stringify(all.map(({ head, ...one }) => ({ ...one, end: head && endOf(one.tenant, head) }))))
  for (const { tenant, number, what } of problems) print(`${tenant || 'the platform'}: row ${number} ${what}.`)
  const rows = all.map(({ tenant, rows, head }) => [
    tenant || '(the platform)',
    String(rows),
    String(head?.number ?? ''),
    head?.hash.toString('hex') ?? '',
  ])
  print(table(['tenant', 'rows', 'last', 'end'], rows))
  remark(
    problems.length === 0
      ? 'Nothing was changed. Keep the output of `--json` elsewhere, for `--ends`: it reveals truncated and replaced chains.'
      : `${problems.length} problems.`,
  )
}

const endOf = (tenant: string, { number, at, hash }: Head) => ({ tenant, number, at, hash: hash.toString('hex') })

/** Reads chain ends from the output of an earlier `audit verify --json`. */
async function keptEnds(file: string | undefined): Promise<KeptEnd[]> {
  if (file === undefined) return []
  try {
    const chains = JSON.parse(await readFile(file, 'utf8')) as { end?: KeptEnd }[]
    return chains.flatMap(({ end }) => (end ? [{ ...end, at: new Date(end.at) }] : []))
  } catch (error) {
    throw new UsageError(`${file} is not the output of \`icosa audit verify --json\`: ${(error as Error).message}.`)
  }
}

async function exportAll({ flags }: Arguments, database: Database): Promise<void> {
  for (const { tenant } of await heads(database, text(flags, 'tenant')))
    for (let rows = await rowsAfter(database, tenant, 0, 1000); rows.length > 0; ) {
      for (const row of rows) print(JSON.stringify(inHex(row)))
      rows = await rowsAfter(database, tenant, rows.at(-1)?.number ?? 0, 1000)
    }
}
