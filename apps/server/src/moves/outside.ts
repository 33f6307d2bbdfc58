import type { MoveEnd, MoveEnds, MoveObstacles, OutsideMove } from '@icosa/kernel'
import type { MoveCell, MoveCells, MovedService } from './cell.ts'
import { servicesIn } from './check-store.ts'

type Cells = Pick<MoveCells, 'source' | 'target' | 'services'>

/** A service with something outside of rows and blobs, or with obstacles. */
interface Outside {
  readonly moves: MoveObstacles | OutsideMove
  /** Ends of the way from the source to the target. */
  readonly ends: MoveEnds
}

/** What the services say against a move. */
export async function serviceObstacles(cells: Cells, tenant: string): Promise<string[]> {
  const all = await outsideOf(cells, tenant)
  return (await Promise.all(all.map(({ moves, ends }) => moves.obstacles(ends, tenant)))).flat()
}

async function outsideOf({ source, target, services }: Cells, tenant: string): Promise<Outside[]> {
  const installed = await servicesIn(source.database)
  return services
    .filter(({ service }) => installed.includes(service))
    .flatMap(({ source: moves, ...service }): Outside[] => {
      if (typeof moves === 'string') return []
      const ends = { from: endOf(source, moves, tenant), to: endOf(target, service.target, tenant) }
      return [{ moves, ends }]
    })
}

const endOf = ({ name, database, vault }: MoveCell, moves: MovedService['source'], tenant: string): MoveEnd => ({
  cell: name,
  database,
  vault: () => vault(tenant),
  place: typeof moves === 'string' ? undefined : moves.place,
})
