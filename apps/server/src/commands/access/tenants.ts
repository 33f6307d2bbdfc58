import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, syncClock, virtualClock } from '@icosa/kernel'
import { print, remark, suggestion, table, UsageError } from '@icosa/module'
import { auditKeyPurpose } from '@icosa/platform/audit'
import { countBlobs, kinds, type LimitKind, limitsKnownMs, listLimits, setLimit } from '@icosa/platform/limits'
import { deleteTenant, listTenants, rowsOf } from '@icosa/platform/tenants'
import { blobsFor } from '../../blobs.ts'
import type { Arguments, Command } from '../../command.ts'
import type { Config } from '../../config.ts'
import { withDatabase } from '../../database.ts'
import { everySecond } from '../../master-key/progress.ts'
import { rekeyAll, rekeyTenant } from '../../master-key/tenant-keys.ts'
import { serviceNames } from '../../services.ts'
import { type BlobCount, blobsOfTenant, tenanciesOf } from '../../tenants/services.ts'
import { allSealed, vaultOf } from '../../vault.ts'
import { move, moveFlags, moves } from './move.ts'
import { demandKnown, exportToFolder, importFromFolder, tenantOf } from './tenant-folder.ts'

export const tenants: Command = {
  name: 'tenants',
  usage:
    'tenants list [--json] | show T [--json] | limits T [SERVICE resources|requests|bytes NUMBER|none] | export T --out FOLDER [--with-secrets] | import FOLDER [--without SERVICE,...] | rekey T|--all [--stolen] | delete T --yes [--even-locked] | move T --to CELL [--dry-run] [--source-env FILE --target-env FILE] [--source-blobs LOCATION --target-blobs LOCATION] | move T --cancel|--back|--finish | moves [--json]',
  summary:
    'Show how much data tenants have, limit it, export all rows and blobs of one to files, import these into another installation, give one a new key, delete one with all its data, or move one to another cell.',
  flags: {
    out: { type: 'string' },
    'with-secrets': { type: 'boolean' },
    without: { type: 'string' },
    yes: { type: 'boolean' },
    'even-locked': { type: 'boolean' },
    all: { type: 'boolean' },
    stolen: { type: 'boolean' },
    json: { type: 'boolean' },
    ...moveFlags,
  },
  audited: {
    list: false,
    show: false,
    limits: ({ length }) => length > 2 && [],
    export: ['out', 'with-secrets'],
    import: ['without'],
    rekey: ['all', 'stolen'],
    delete: ['even-locked'],
    move: ['to', 'dry-run', 'cancel', 'back', 'finish'],
    moves: false,
  },
  async run(args) {
    const action = {
      ...{ list, show, limits, rekey, move, moves },
      export: exportToFolder,
      import: importFromFolder,
      delete: remove,
    }[args.words[0] ?? '']
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
    const services = await tenanciesOf(args.config, '', database, blobs)
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

async function remove(args: Arguments): Promise<void> {
  const tenant = tenantOf(args)
  if (args.flags.yes !== true)
    throw new UsageError(
      `This deletes all data of ${tenant} permanently, including its backups: add --yes. \`icosa tenants show ${tenant}\` lists it.`,
    )
  const done = await withDatabase(args.config, async (database, url) => {
    const blobs = await blobsFor(args.config)
    const services = await tenanciesOf(args.config, url, database, blobs)
    const clock = await virtualClock(database)
    const evenLocked = args.flags['even-locked'] === true
    const auditKeys = (await vaultOf(args.config, database)).everDerived(auditKeyPurpose)
    return deleteTenant(tenant, { database, blobs, clock, services, auditKeys, evenLocked })
  })
  remark(`Deleted ${tenant}: ${done.rows} rows, ${done.blobs} blobs.`)
}

/** Re-encrypts the secrets of a tenant under a new key, or those of all tenants under keys of their own. */
async function rekey(args: Arguments): Promise<void> {
  const { flags, config } = args
  const isStolen = flags.stolen === true
  if (flags.all === true && (isStolen || args.words.length > 1))
    throw new UsageError('For new keys of all tenants run `icosa master-key rotate --stolen`.')
  const tenant = flags.all === true ? undefined : tenantOf(args)
  const { left, unopened } = await withDatabase(config, async (database) => {
    if (tenant !== undefined) await demandKnown(database, tenant)
    const vault = await vaultOf(config, database)
    const rekeying = { database, vault, sealed: await allSealed(), onProgress: everySecond(), onRemark: remark }
    return tenant === undefined ? rekeyAll(rekeying) : rekeyTenant(rekeying, tenant, isStolen)
  })
  for (const { column, context } of unopened)
    remark(`Could not be decrypted, and was left unchanged: ${column} of '${context}'.`)
  if (left === 0) return remark(`All secrets of ${tenant ?? 'all tenants'} are sealed under keys of their own.`)
  remark(`${left} values are still sealed under other keys: run it again.`)
  process.exitCode = 1
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
