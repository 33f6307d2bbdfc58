import { type Database, Failure } from '@icosa/kernel'
import type { MoveCells, Route } from './cell.ts'
import { blockers } from './checks.ts'
import { MoveFailed, type MoveLimits, moveLimits } from './cutover.ts'
import type { Memory, Moving } from './moving.ts'
import { steps } from './steps.ts'
import * as store from './store.ts'

export { blockers }

export interface MoveOptions {
  readonly directory: Database
  readonly cells: MoveCells
  readonly route: Route
  readonly tenant: string
  readonly limits?: Partial<MoveLimits>
  readonly say?: (line: string) => void
}

/** What the operator may want of a move that exists. */
export const requests = {
  cancel: { state: 'cancelling', from: ['checking', 'copying', 'following', 'fenced'] },
  back: { state: 'returning', from: ['reversible'] },
  finish: { state: 'finishing', from: ['reversible'] },
} as const satisfies Record<string, { state: store.State; from: readonly store.State[] }>

export type Request = keyof typeof requests

/**
 * Moves a tenant until it can be moved back or the move has ended, or does what the operator wants of one that exists.
 * A move that was stopped anywhere continues.
 */
export async function moveTenant(options: MoveOptions, request?: Request): Promise<store.Move> {
  const { directory, tenant, cells } = options
  let done: store.Move | undefined
  const isOurs = await store.alone(directory, tenant, async () => {
    const open = await store.openMove(directory, tenant)
    const move = open ?? (request ? noMove(tenant) : await store.startMove(directory, { tenant, ...namesOf(cells) }))
    demandSame(move, cells)
    done = await run(options, request ? await begin(directory, move, request) : move)
  })
  if (!isOurs || !done) throw new Failure('conflict', `Another process moves '${tenant}' at the moment: wait for it.`)
  return done
}

const namesOf = ({ source, target }: MoveCells) => ({ source: source.name, target: target.name })

function noMove(tenant: string): never {
  throw new Failure(
    'conflict',
    `No move of '${tenant}' is under way: \`icosa tenants move ${tenant} --to CELL\` starts one.`,
  )
}

function demandSame({ tenant, source, target }: store.Move, cells: MoveCells): void {
  if (source === cells.source.name && target === cells.target.name) return
  throw new Failure(
    'conflict',
    `A move of '${tenant}' from ${source} to ${target} is under way: finish or cancel it first.`,
  )
}

async function begin(directory: Database, move: store.Move, request: Request): Promise<store.Move> {
  const { state, from } = requests[request]
  if (move.state === state) return move
  if (!(from as readonly store.State[]).includes(move.state))
    throw new Failure(
      'conflict',
      `The move of '${move.tenant}' is ${move.state}: --${request} is for ${from.join(', ')}.`,
    )
  // Before the check has passed, what the target has of the tenant is not this move's.
  return store.setState(directory, move, { state: move.state === 'checking' ? 'cancelled' : state })
}

/** Takes steps until none is left to take without the operator. */
async function run(
  { directory, cells, route, limits, say = () => {} }: MoveOptions,
  first: store.Move,
): Promise<store.Move> {
  const memory: Memory = { pauses: 0 }
  let move = first
  try {
    for (let step = steps[move.state]; step; step = steps[move.state]) {
      say(`${move.tenant}: ${move.state}`)
      const moving: Moving = { move, cells, route, limits: { ...moveLimits, ...limits }, say, memory }
      move = await store.setState(directory, move, await step(moving).catch(failed))
    }
    return move
  } finally {
    await Promise.all([memory.snapshots?.source.close(), memory.snapshots?.target.close()])
  }
}

/** A move that cannot go on is undone. After any other error, it can be continued. */
function failed(error: unknown): store.Step {
  if (!(error instanceof MoveFailed)) throw error
  return { state: 'cancelling', detail: error.message }
}
