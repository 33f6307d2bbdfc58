import { Failure, type MoveEnd, type MoveEnds, type MoveObstacles, type OutsideMove } from '@icosa/kernel'
import type { MoveCell, MoveCells, MovedService } from './cell.ts'
import { servicesIn } from './check-store.ts'
import { MoveFailed } from './cutover.ts'

type Cells = Pick<MoveCells, 'source' | 'target' | 'services'>

interface Ends {
  readonly source: MoveEnd
  readonly target: MoveEnd
}

/** A service with something outside of rows and blobs, or with obstacles. */
interface Part {
  readonly moves: MoveObstacles | OutsideMove
  readonly ends: Ends
}

/** What the services say against a move. */
export async function serviceObstacles(cells: Cells, tenant: string): Promise<string[]> {
  const parts = await partsOf(cells, tenant)
  const all = await Promise.all(
    parts.map(({ moves, ends }) => moves.obstacles({ from: ends.source, to: ends.target }, tenant)),
  )
  return all.flat()
}

async function partsOf({ source, target, services }: Cells, tenant: string): Promise<Part[]> {
  const installed = await servicesIn(source.database)
  return services
    .filter(({ service }) => installed.includes(service))
    .flatMap(({ source: moves, ...service }): Part[] => {
      if (typeof moves === 'string') return []
      return [{ moves, ends: { source: endOf(source, moves, tenant), target: endOf(target, service.target, tenant) } }]
    })
}

const endOf = ({ name, database, vault }: MoveCell, moves: MovedService['source'], tenant: string): MoveEnd => ({
  cell: name,
  database,
  vault: () => vault(tenant),
  place: typeof moves === 'string' ? undefined : moves.place,
})

export type Side = keyof Ends
const otherSide = { source: 'target', target: 'source' } as const

/** What a tenant has outside of rows and blobs, of all services. A side names the cell from which, or in which. */
export interface Outside {
  copy(from: Side): Promise<void>
  /** False if it is to be tried again when writes have gone on for a while. */
  finish(from: Side): Promise<boolean>
  /** Why it is to be tried again. */
  readonly delay: string | undefined
  /** What `finish` has found. */
  readonly summaries: readonly string[]
  open(at: Side): Promise<void>
  forget(at: Side): Promise<void>
}

export function outsideOf(cells: Cells, tenant: string): Outside {
  let summaries: string[] = []
  let delay: string | undefined
  let opened: Promise<readonly (Part & { readonly moves: OutsideMove })[]> | undefined
  const parts = () => {
    opened ??= partsOf(cells, tenant).then((all) =>
      all.flatMap(({ moves, ends }) => ('finish' in moves ? [{ moves, ends }] : [])),
    )
    return opened
  }
  const way = ({ ends }: Part, from: Side): MoveEnds => ({ from: ends[from], to: ends[otherSide[from]] })
  return {
    get summaries() {
      return summaries
    },
    async copy(from) {
      for (const part of await parts()) await part.moves.copy?.(way(part, from), tenant)?.catch(undone)
    },
    async finish(from) {
      const found: string[] = []
      try {
        for (const part of await parts()) {
          const summary = await part.moves.finish(way(part, from), tenant)
          if (summary !== undefined) found.push(summary)
        }
      } catch (error) {
        if (!isOutage(error)) return undone(error)
        delay = error.message
        return false
      }
      summaries = found
      return true
    },
    get delay() {
      return delay
    },
    async open(at) {
      for (const { moves, ends } of await parts()) await moves.open?.(ends[at], tenant)
    },
    async forget(at) {
      for (const { moves, ends } of await parts())
        await moves.forget({ at: ends[at], other: ends[otherSide[at]] }, tenant)
    },
  }
}

interface Outage extends Failure {
  readonly kind: 'unavailable'
}

const isOutage = (error: unknown): error is Outage => error instanceof Failure && error.kind === 'unavailable'

/** A refusal is final. After any other error, the move can be continued. */
function undone(error: unknown): never {
  if (error instanceof Failure && !isOutage(error)) throw new MoveFailed(error.message, { cause: error })
  throw error
}
