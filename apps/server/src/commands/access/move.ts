import { print, remark, table, text, UsageError } from '@icosa/module'
import type { Arguments } from '../../command.ts'
import type { MoveCells } from '../../moves/cell.ts'
import { blockers, type MoveOptions, moveTenant, type Request, requests } from '../../moves/move.ts'
import { routeOf } from '../../moves/route.ts'
import { listMoves, type Move, openMove } from '../../moves/store.ts'
import { cellsOf, withMoves } from './move-cells.ts'
import { cellFlags } from './move-flags.ts'

export const moveFlags = {
  to: { type: 'string' },
  ...cellFlags,
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
  await withMoves(config, async (stack, directory) => {
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
  await withMoves(config, async (_, directory) => {
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
