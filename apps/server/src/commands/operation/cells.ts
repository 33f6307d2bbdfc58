import { type Database, openDatabase, virtualClock } from '@icosa/kernel'
import { print, remark, table, text, UsageError, whole } from '@icosa/module'
import { addCell } from '../../cells/add.ts'
import { cellName, type Labels } from '../../cells/cell.ts'
import { openDirectory } from '../../cells/directory.ts'
import { migrateDirectory } from '../../cells/migrations.ts'
import { placeTenant } from '../../cells/place.ts'
import { removeCell } from '../../cells/remove.ts'
import { drainCell, findCell, listLoads, tenantsToMove } from '../../cells/store.ts'
import type { Arguments, Command } from '../../command.ts'
import type { Config } from '../../config.ts'
import { withPlatform } from '../../node.ts'
import { refuseOtherSchema } from '../../schema.ts'
import { allServices } from '../../services.ts'
import { cellFlags } from '../access/move-flags.ts'

export const cells: Command = {
  name: 'cells',
  usage:
    'cells list [--json] | add NAME --url U --database U [--label region=eu,...] [--capacity 10000] [--home] | drain NAME [--move [--label region=eu,...] [--source-env FILE --target-env FILE] [--source-blobs LOCATION --target-blobs LOCATION]] | remove NAME | place TENANT [--label region=eu,...] [--json]',
  summary:
    'List the cells of the directory at ICOSA_DIRECTORY_URL, add or remove one, keep new tenants from one, move its tenants to others, or place a tenant.',
  flags: {
    url: { type: 'string' },
    database: { type: 'string' },
    label: { type: 'string' },
    capacity: { type: 'string' },
    home: { type: 'boolean' },
    json: { type: 'boolean' },
    move: { type: 'boolean' },
    ...cellFlags,
  },
  audited: { list: false, add: false, drain: ['move', 'label'], remove: false, place: false }, // the audit log is that of one cell
  async run(args) {
    const action = { list, add, drain, remove, place }[args.words[0] ?? '']
    if (!action) throw new UsageError(`Usage: icosa ${cells.usage}`)
    await action(args)
  },
}

async function list({ flags, config }: Arguments): Promise<void> {
  const loads = await withDirectory(config, listLoads)
  if (flags.json === true) return print(JSON.stringify(loads.map(({ databaseUrl: _, ...cell }) => cell)))
  const rows = loads.map(({ name, tenants, capacity, state, isHome, labels, url }) => [
    ...[name, String(tenants), String(capacity), state, isHome ? 'home' : '', inWords(labels), url],
  ])
  print(table(['cell', 'tenants', 'capacity', 'state', '', 'labels', 'url'], rows))
}

async function add({ words, flags, config }: Arguments): Promise<void> {
  const name = nameOf(words)
  const [url, databaseUrl] = [text(flags, 'url'), text(flags, 'database')]
  if (url === undefined || !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new UsageError('Where are its nodes reached? Add --url https://HOST.')
  if (databaseUrl === undefined || !/^postgres(ql)?:$/.test(URL.parse(databaseUrl)?.protocol ?? ''))
    throw new UsageError('Which is its database? Add --database postgres://USER:PASSWORD@HOST/NAME, without a pooler.')
  const capacity = whole(flags, 'capacity', defaultCapacity)
  const cell = { name, url, databaseUrl, capacity, labels: labelsOf(flags), isHome: flags.home === true }
  const services = withPlatform(await allServices(), 'virtual')
  const added = await withDirectory(config, (directory) =>
    withDatabaseAt(databaseUrl, async (database) => {
      await refuseOtherSchema(database, services)
      const now = (await virtualClock(database)).now()
      return addCell(directory, database, { ...cell, now })
    }),
  )
  const home = added.isHome ? ', which is the home of people' : ''
  remark(`Added ${name}${home}: ${added.tenants} tenants, ${added.names} names.`)
}

const defaultCapacity = 10_000

async function drain(args: Arguments): Promise<void> {
  const { words, flags, config } = args
  const name = nameOf(words)
  if (flags.move === true) return moveAll(args, name)
  const left = await withDirectory(config, async (directory) => {
    if (!(await drainCell(directory, name))) missing(name)
    return tenantsToMove(directory, name)
  })
  for (const tenant of left) print(tenant)
  remark(`${name} gets no new tenants. ${left.length} are left. \`icosa cells add ${name}\` makes it active again.`)
}

async function moveAll(args: Arguments, cell: string): Promise<void> {
  const { flags, config } = args
  const { drainTenants } = await import('../../moves/drain.ts')
  const { cellsOf, withMoves } = await import('../access/move-cells.ts')
  await withMoves(config, async (_, directory) => {
    const { labels } = (await findCell(directory, cell)) ?? missing(cell)
    const { moved, left } = await drainTenants({
      ...{ directory, cell, say: remark },
      labels: flags.label === undefined ? labels : labelsOf(flags),
      cellsOf: (stack, tenant, to) => cellsOf(stack, { directory, tenant, to, flags, config }),
    })
    for (const { tenant } of left) print(tenant)
    remark(`${moved} tenants have left ${cell}, ${left.length} are left. Run it again to continue.`)
    if (left.length > 0) process.exitCode = 1
  })
}

function missing(name: string): never {
  throw new UsageError(`There is no cell '${name}': \`icosa cells list\` shows them.`)
}

async function remove({ words, config }: Arguments): Promise<void> {
  const name = nameOf(words)
  await withDirectory(config, (directory) =>
    removeCell(directory, name, (url, work) =>
      withDatabaseAt(url, work).catch((error: Error) =>
        remark(`Its database could not be told, and refuses new names if it is used again: ${error.message}`),
      ),
    ),
  )
  remark(`Removed ${name}.`)
}

async function place({ words, flags, config }: Arguments): Promise<void> {
  const tenant = words[1]
  if (tenant === undefined) throw new UsageError('Which one? Name the tenant.')
  const directory = openDirectory({ url: directoryUrlOf(config), onError, maxMs: 30_000 })
  try {
    const placement = await placeTenant(directory, tenant, labelsOf(flags))
    if (flags.json === true) return print(JSON.stringify(placement))
    print(placement.cell.name)
    remark(`${tenant} is in ${placement.cell.name}, at ${placement.cell.url}. Create its keys there.`)
  } finally {
    await directory.close()
  }
}

const onError = (error: Error) => remark(`database: ${error.message}`)

function directoryUrlOf({ directoryUrl }: Config): string {
  if (directoryUrl !== undefined) return directoryUrl
  throw new UsageError('Set ICOSA_DIRECTORY_URL to the database of the directory, which may be that of a cell.')
}

async function withDirectory<T>(config: Config, work: (directory: Database) => Promise<T>): Promise<T> {
  return withDatabaseAt(directoryUrlOf(config), async (directory) => {
    await migrateDirectory(directory)
    return work(directory)
  })
}

async function withDatabaseAt<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase({ url, maxConnections: 3, onError })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

function nameOf([, name]: Arguments['words']): string {
  if (name !== undefined && cellName.test(name)) return name
  throw new UsageError('Name the cell: 1 to 31 lower-case letters, digits or -, the first a letter.')
}

function labelsOf(flags: Arguments['flags']): Labels {
  const pairs = (text(flags, 'label') ?? '').split(',').filter(Boolean)
  for (const pair of pairs)
    if (!/^[\w.-]+=[\w.-]+$/.test(pair)) throw new UsageError(`'${pair}' is not a label: write region=eu.`)
  return Object.fromEntries(pairs.map((pair) => pair.split('=')))
}

const inWords = (labels: Labels) =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join(',')
