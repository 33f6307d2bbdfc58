import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { openDatabase } from '@icosa/kernel'
import { remark, text, UsageError } from '@icosa/module'
import { blobsFor } from '../../blobs.ts'
import type { Cell } from '../../cells/cell.ts'
import { findTenant, listCells } from '../../cells/store.ts'
import type { Arguments } from '../../command.ts'
import { type Config, factsOf, readConfig } from '../../config.ts'
import { withDatabase } from '../../database.ts'
import { carryTenantKeys } from '../../master-key/carry.ts'
import type { MoveCell, MoveCells } from '../../moves/cell.ts'
import { lackingKeys } from '../../moves/keys.ts'
import type { MoveOptions } from '../../moves/move.ts'
import { openMove } from '../../moves/store.ts'
import { createServices, loadModules } from '../../services.ts'
import { allDerives, allSealed, vaultOf } from '../../vault.ts'

/** Opens the directory. The command is recorded in the audit log of the cell whose environment it has. */
export async function withMoves(
  config: Config,
  work: (stack: AsyncDisposableStack, directory: MoveOptions['directory']) => Promise<void>,
): Promise<void> {
  const { directoryUrl } = config
  if (directoryUrl === undefined)
    throw new UsageError(
      'Set ICOSA_DIRECTORY_URL to the database of the directory of cells, which knows where tenants live.',
    )
  await withDatabase(config, async () => {
    await using stack = new AsyncDisposableStack()
    await work(stack, opened(stack, directoryUrl))
  })
}

function opened(stack: AsyncDisposableStack, url: string): MoveOptions['directory'] {
  const database = openDatabase({ url, maxConnections: 4, onError: (error) => remark(`database: ${error.message}`) })
  stack.defer(() => database.close())
  return database
}

interface Wanted extends Pick<Arguments, 'flags' | 'config'> {
  readonly directory: MoveOptions['directory']
  readonly tenant: string
  readonly to: string | undefined
}

/** Those of the move under way, or where the tenant lives and is to live. */
export async function cellsOf(
  stack: AsyncDisposableStack,
  { directory, tenant, to, flags, config }: Wanted,
): Promise<MoveCells> {
  const under = await openMove(directory, tenant)
  const placed = await findTenant(directory, tenant)
  const target = under && (to === undefined || to === under.target) ? under.target : to
  const source = under?.source ?? placed?.cell
  if (source === undefined)
    throw new UsageError(`The directory has no tenant '${tenant}': \`icosa cells tenants\` lists them.`)
  if (target === undefined) throw new UsageError(`No move of '${tenant}' is under way: add --to CELL to start one.`)
  if (target === source) throw new UsageError(`'${tenant}' lives in ${source} already.`)
  const all = await listCells(directory)
  const cell = (name: string): MoveCell => {
    const known = all.find((one) => one.name === name) ?? missing(name, all)
    const database = opened(stack, known.databaseUrl)
    const vault = lazy(() => vaultOf(config, database))
    return { ...known, database, vault: async (ofTenant) => (await vault()).of(ofTenant) }
  }
  const cells = { source: cell(source), target: cell(target) }
  const configs = {
    source: await configOf(config, text(flags, 'source-env'), text(flags, 'source-blobs')),
    target: await configOf(config, text(flags, 'target-env'), text(flags, 'target-blobs')),
  }
  return {
    ...cells,
    services: await servicesOf(cells, configs),
    carryKeys: await keysOf(cells, config),
    blobs: await blobsOf(flags, configs),
  }
}

function missing(name: string, cells: readonly Cell[]): never {
  throw new UsageError(`There is no cell '${name}'. There are ${cells.map((cell) => cell.name).join(', ')}.`)
}

const lazy = <T>(open: () => Promise<T>) => {
  let opening: Promise<T> | undefined
  return () => {
    opening ??= open()
    return opening
  }
}

/** As the nodes of a cell have it, as far as a move needs it: the file overrides the environment of the command. */
async function configOf(
  { env, development }: Config,
  file: string | undefined,
  blobs: string | undefined,
): Promise<Config> {
  const own = file === undefined ? {} : parseEnv(await readFile(file, 'utf8'))
  return readConfig({ ...env, ...own, ...(blobs !== undefined && { ICOSA_BLOBS: blobs }) }, { development })
}

type Ends = Pick<MoveCells, 'source' | 'target'>

interface Configs {
  readonly source: Config
  readonly target: Config
}

/** How the services of both cells move a tenant, by the settings of each. */
async function servicesOf({ source, target }: Ends, configs: Configs): Promise<MoveCells['services']> {
  const modules = await loadModules()
  const created = ({ env, ...config }: Config, { databaseUrl }: MoveCell) =>
    createServices(modules, { env, facts: factsOf({ ...config, env, databaseUrl }) })
  const [here, there] = await Promise.all([created(configs.source, source), created(configs.target, target)])
  return here.flatMap(({ name, moves }) =>
    there
      .filter((other) => other.name === name)
      .map((other) => ({ service: name, source: moves, target: other.moves })),
  )
}

/** The master keys in the environment open the data keys of both cells, unless these are the same. */
async function keysOf({ source, target }: Ends, config: Config): Promise<MoveCells['carryKeys']> {
  if ((await lackingKeys(source.database, target.database)) === undefined) return undefined
  const [sealed, derives] = await Promise.all([allSealed(), allDerives()])
  const site = async ({ database }: MoveCell) => ({ database, vault: await vaultOf(config, database) })
  return async (from, to, tenant) => carryTenantKeys(await site(from), await site(to), { tenant, sealed, derives })
}

async function blobsOf(flags: Arguments['flags'], { source, target }: Configs): Promise<MoveCells['blobs']> {
  if ((flags['source-blobs'] === undefined) !== (flags['target-blobs'] === undefined))
    throw new UsageError('Add both --source-blobs and --target-blobs, or neither if both cells have one store.')
  if (JSON.stringify(source.blobs) === JSON.stringify(target.blobs)) return undefined
  return { source: await blobsFor(source), target: await blobsFor(target) }
}
