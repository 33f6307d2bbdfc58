import { openDatabase } from '@icosa/kernel'
import { print, remark, table, text, UsageError } from '@icosa/module'
import { blobsFor } from '../../blobs.ts'
import type { Cell } from '../../cells/cell.ts'
import { findTenant, listCells } from '../../cells/store.ts'
import type { Arguments } from '../../command.ts'
import { type Config, readConfig } from '../../config.ts'
import { withDatabase } from '../../database.ts'
import { carryTenantKeys } from '../../master-key/carry.ts'
import type { MoveCell, MoveCells } from '../../moves/cell.ts'
import { lackingKeys } from '../../moves/keys.ts'
import { blockers, type MoveOptions, moveTenant, type Request, requests } from '../../moves/move.ts'
import { routeOf } from '../../moves/route.ts'
import { listMoves, type Move, openMove } from '../../moves/store.ts'
import { allDerives, allSealed, vaultOf } from '../../vault.ts'

export const moveFlags = {
  to: { type: 'string' },
  'source-blobs': { type: 'string' },
  'target-blobs': { type: 'string' },
  'dry-run': { type: 'boolean' },
  cancel: { type: 'boolean' },
  back: { type: 'boolean' },
  finish: { type: 'boolean' },
} as const

/** Moves a tenant to another cell, and continues, cancels, reverses or finishes a move. */
export async function move({ words, flags, config, note }: Arguments): Promise<void> {
  const tenant = words[1]
  if (tenant === undefined) throw new UsageError('Which one? `icosa tenants list` shows them.')
  note({ tenant })
  const wanted = (Object.keys(requests) as Request[]).filter((name) => flags[name] === true)
  const to = text(flags, 'to')
  if (wanted.length + (to === undefined ? 0 : 1) !== 1)
    throw new UsageError(`Add one of --to CELL, --cancel, --back and --finish.`)
  await withDirectory(config, async (stack, directory) => {
    const cells = await cellsOf(stack, { directory, tenant, to, flags, config })
    if (flags['dry-run'] === true) return dryRun(cells, tenant)
    const options = { directory, cells, route: routeOf(directory), tenant, say: remark }
    report(await moveTenant(options, wanted[0]).catch((error) => interrupted(options, error)))
  })
}

/** The next mover continues. */
async function interrupted({ directory, tenant }: MoveOptions, error: unknown): Promise<never> {
  const open = await openMove(directory, tenant).catch(() => undefined)
  const waiting = open?.state === 'fenced' || open?.state === 'switched' ? `, for which writes of ${tenant} wait` : ''
  if (open) remark(`The move is ${open.state}: run the command again to continue${waiting}.`)
  throw error
}

async function dryRun(cells: MoveCells, tenant: string): Promise<void> {
  const problems = await blockers(cells, tenant)
  if (problems.length === 0) return remark(`Nothing keeps ${tenant} from moving to ${cells.target.name}.`)
  for (const problem of problems) print(problem)
  process.exitCode = 1
}

function report({ tenant, source, target, state, detail }: Move): void {
  const said: Partial<Record<Move['state'], string>> = {
    reversible: `${tenant} lives in ${target}: ${detail}. Add --finish to delete it in ${source}, or --back to return.`,
    finished: `${tenant} lives in ${target}, and is deleted in ${source}.`,
    returned: `${tenant} lives in ${source} again, and is deleted in ${target}.`,
    cancelled: `${tenant} stays in ${source}.${detail === '' ? '' : ` ${detail}`}`,
    failed: `${tenant} cannot move to ${target}:\n${detail}`,
  }
  remark(said[state] ?? `${tenant}: ${state}`)
  if (state === 'failed' || (state === 'cancelled' && detail !== '')) process.exitCode = 1
}

export async function moves({ flags, config }: Arguments): Promise<void> {
  await withDirectory(config, async (_, directory) => {
    const all = await listMoves(directory)
    if (flags.json === true) return print(JSON.stringify(all))
    print(
      table(
        ['tenant', 'from', 'to', 'state', 'detail'],
        all.map((one) => [one.tenant, one.source, one.target, one.state, one.detail]),
      ),
    )
  })
}

/** The command is recorded in the audit log of the cell whose environment it has. */
async function withDirectory(
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
async function cellsOf(
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
    return { ...known, database: opened(stack, known.databaseUrl) }
  }
  const cells = { source: cell(source), target: cell(target) }
  return { ...cells, carryKeys: await keysOf(cells, config), blobs: await blobsOf(flags, config) }
}

function missing(name: string, cells: readonly Cell[]): never {
  throw new UsageError(`There is no cell '${name}'. There are ${cells.map((cell) => cell.name).join(', ')}.`)
}

/** The master keys in the environment open the data keys of both cells, unless these are the same. */
async function keysOf({ source, target }: MoveCells, config: Config): Promise<MoveCells['carryKeys']> {
  if ((await lackingKeys(source.database, target.database)) === undefined) return undefined
  const [sealed, derives] = await Promise.all([allSealed(), allDerives()])
  const site = async ({ database }: MoveCell) => ({ database, vault: await vaultOf(config, database) })
  return async (from, to, tenant) => carryTenantKeys(await site(from), await site(to), { tenant, sealed, derives })
}

async function blobsOf(flags: Arguments['flags'], { env, development }: Config): Promise<MoveCells['blobs']> {
  const [source, target] = [text(flags, 'source-blobs'), text(flags, 'target-blobs')]
  if (source === undefined && target === undefined) return undefined
  if (source === undefined || target === undefined)
    throw new UsageError('Add both --source-blobs and --target-blobs, or neither if both cells have one store.')
  const at = (ICOSA_BLOBS: string) => blobsFor(readConfig({ ...env, ICOSA_BLOBS }, { development }))
  return { source: await at(source), target: await at(target) }
}
