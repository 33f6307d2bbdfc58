import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, syncClock, virtualClock } from '@icosa/kernel'
import { print, remark, suggestion, table, text, UsageError } from '@icosa/module'
import { auditKeyPurpose } from '@icosa/platform/audit'
import { countBlobs, kinds, type LimitKind, limitsKnownMs, listLimits, setLimit } from '@icosa/platform/limits'
import { deleteTenant, exportTenant, listTenants, rowsOf } from '@icosa/platform/tenants'
import { blobsFor } from '../../blobs.ts'
import type { Arguments, Command } from '../../command.ts'
import type { Config } from '../../config.ts'
import { withDatabase } from '../../database.ts'
import { serviceNames } from '../../services.ts'
import { type BlobCount, blobsOfTenant, tenanciesOf } from '../../tenants/services.ts'
import { allSealed, vaultOf } from '../../vault.ts'

export const tenants: Command = {
  name: 'tenants',
  usage:
    'tenants list [--json] | show T [--json] | limits T [SERVICE resources|requests|bytes NUMBER|none] | export T --out FOLDER | delete T --yes [--even-locked]',
  summary:
    'Show how much data tenants have, limit it, export all rows and blobs of one to files, or delete one with all its data.',
  flags: {
    out: { type: 'string' },
    yes: { type: 'boolean' },
    'even-locked': { type: 'boolean' },
    json: { type: 'boolean' },
  },
  audited: {
    list: false,
    show: false,
    limits: ({ length }) => length > 2 && [],
    export: ['out'],
    delete: ['even-locked'],
  },
  async run(args) {
    const action = { list, show, limits, export: exportOne, delete: remove }[args.words[0] ?? '']
    if (!action) throw new UsageError(`Usage: icosa ${tenants.usage}`)
    await action(args)
  },
}

async function list({ flags, config }: Arguments): Promise<void> {
  const tenants = await withDatabase(config, (database) => listTenants(database))
  if (flags.json === true) return print(JSON.stringify(tenants))
  const rows = tenants.map(({ tenant, createdAt, credentials, resources }) => [
    tenant,
    createdAt.toISOString(),
    String(credentials),
    String(resources),
  ])
  print(table(['tenant', 'since', 'credentials', 'resources'], rows))
}

async function show(args: Arguments): Promise<void> {
  const tenant = tenantOf(args)
  const shown = await withDatabase(args.config, async (database) => {
    await demandKnown(database, tenant)
    const blobs = await blobsFor(args.config)
    const services = await tenanciesOf(args.config, database, '', blobs)
    const limits = await listLimits(database, { tenant, kind: 'bytes' })
    const allowed = (name: string) => limits.find(({ service }) => service === name)?.amount
    const counted = await blobsOfTenant(blobs, services, tenant)
    const inAll = counted.reduce((sum, { bytes }) => sum + bytes, 0)
    const together = allowed('*') === undefined ? [] : [{ service: '*', blobs: sumOf(counted), bytes: inAll }]
    const shown = [...counted, ...together].map((one) => ({ ...one, allowed: allowed(one.service) }))
    return { rows: await rowsOf(database, tenant), blobs: shown }
  })
  if (args.flags.json === true) return print(JSON.stringify({ tenant, ...shown }))
  print(
    table(
      ['table', 'rows'],
      shown.rows.map(({ table, rows }) => [table, String(rows)]),
    ),
  )
  const rows = shown.blobs.map(({ service, blobs, bytes, allowed }) =>
    [service, blobs, bytes, allowed ?? ''].map(String),
  )
  if (rows.length > 0) print(`\n${table(['service', 'blobs', 'bytes', 'allowed'], rows)}`)
}

const sumOf = (counts: readonly BlobCount[]) => counts.reduce((sum, { blobs }) => sum + blobs, 0)

/** Sets and lists limits of one service, or of all together: `*`. */
async function limits(args: Arguments): Promise<void> {
  const tenant = tenantOf(args)
  const [, , service, kind, amount] = args.words
  await withDatabase(args.config, async (database) => {
    if (service !== undefined) {
      if (!kinds.some((one) => one === kind) || !/^(\d{1,15}|none)$/.test(amount ?? ''))
        throw new UsageError(`Usage: icosa ${tenants.usage}`)
      if (service !== '*' && !serviceNames.includes(service))
        throw new UsageError(`There is no service '${service}'.${suggestion(service, serviceNames)}`)
      await demandKnown(database, tenant)
      const limit = { tenant, service, kind: kind as LimitKind }
      await setLimit(database, { ...limit, amount: amount === 'none' ? undefined : Number(amount) })
      if (kind === 'bytes' && amount !== 'none') await countBytes(args.config, database, { tenant, service })
    }
    const limits = await listLimits(database, { tenant })
    if (args.flags.json === true) return print(JSON.stringify(limits))
    const rows = limits.map((limit) => [limit.service, limit.kind, String(limit.amount)])
    if (rows.length === 0) remark(`${tenant} has no limits of its own.`)
    else print(table(['service', 'limit', 'amount'], rows))
  })
}

async function exportOne(args: Arguments): Promise<void> {
  const tenant = tenantOf(args)
  const out = text(args.flags, 'out')
  if (out === undefined) throw new UsageError('Where to? Add --out FOLDER, which must not exist yet.')
  const write = await folderWriter(out)
  const done = await withDatabase(args.config, async (database) => {
    await demandKnown(database, tenant)
    const blobs = await blobsFor(args.config)
    const services = (await tenanciesOf(args.config, database, '', blobs)).map(({ service }) => service)
    return exportTenant(tenant, { database, blobs, services, sealed: await allSealed(), write })
  })
  remark(`Wrote ${done.rows} rows and ${done.blobs} blobs of ${tenant} to ${out}. Sealed secrets are left out.`)
}

async function remove(args: Arguments): Promise<void> {
  const tenant = tenantOf(args)
  if (args.flags.yes !== true)
    throw new UsageError(
      `This deletes all data of ${tenant} permanently, including its backups: add --yes. \`icosa tenants show ${tenant}\` lists it.`,
    )
  const done = await withDatabase(args.config, async (database, url) => {
    const blobs = await blobsFor(args.config)
    const services = await tenanciesOf(args.config, database, url, blobs)
    const clock = await virtualClock(database)
    const evenLocked = args.flags['even-locked'] === true
    const auditKeys = (await vaultOf(args.config, database)).everDerived(auditKeyPurpose)
    return deleteTenant(tenant, { database, blobs, clock, services, auditKeys, evenLocked })
  })
  remark(`Deleted ${tenant}: ${done.rows} rows, ${done.blobs} blobs.`)
}

function tenantOf({ words, note }: Arguments): string {
  const tenant = words[1]
  if (tenant === undefined) throw new UsageError('Which one? `icosa tenants list` shows them.')
  note({ tenant })
  return tenant
}

async function demandKnown(database: Database, tenant: string): Promise<void> {
  if ((await listTenants(database, tenant)).length === 0)
    throw new UsageError(`There is no tenant '${tenant}': \`icosa tenants list\` shows them.`)
}

/** Counts a tenant's existing blobs when a limit is set, once all nodes count its new ones. */
async function countBytes(
  config: Config,
  database: Database,
  owner: { readonly tenant: string; readonly service: string },
): Promise<void> {
  await sleep(2 * limitsKnownMs)
  await countBlobs(database, await blobsFor(config), owner, (await syncClock(database)).now())
}

/** Returns a function that writes files below a new folder, readable only by its owner. */
async function folderWriter(folder: string) {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new UsageError(`${folder} already exists: name a new folder.`) : error
  })
  return async (path: string, content: AsyncIterable<string | Uint8Array>): Promise<void> => {
    const parts = path.split('/').map((part) => (/^\.*$/.test(part) ? part.replaceAll('.', '%2E') || '%' : part))
    const file = join(folder, ...parts)
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await pipeline(Readable.from(content), createWriteStream(file, { mode: 0o600, flags: 'wx' }))
  }
}
