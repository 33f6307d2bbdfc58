import type { Database, Db, Moves } from '@icosa/kernel'
import type { TestCells } from './cells.ts'

/** The mover is killed. */
export class Crash extends Error {}

/**
 * Cells and directory for a mover that is killed at its n-th statement: before PostgreSQL gets it, or before it gets the
 * reply. From then on it does nothing.
 */
export function crashing(world: TestCells, at: number) {
  let point = 0
  const die = () => {
    if (++point >= at) throw new Crash()
  }
  const around = async <T>(work: () => Promise<T>): Promise<T> => {
    die()
    const result = await work()
    die()
    return result
  }
  const statements = (db: Db): Db => ({
    many: (statement) => around(() => db.many(statement)),
    maybe: (statement) => around(() => db.maybe(statement)),
    point: (statement) => around(() => db.point(statement)),
    one: (statement) => around(() => db.one(statement)),
    run: (statement) => around(() => db.run(statement)),
    script: (text) => around(() => db.script(text)),
  })
  const wrapped = (database: Database): Database => ({
    ...database,
    ...statements(database),
    transaction: (work, writerOf) => around(() => database.transaction((db) => work(statements(db)), writerOf)),
  })
  /** Before and after each of its steps, and at its statements, by the databases of its ends. */
  const wrappedMoves = (moves: Moves): Moves => {
    if (typeof moves === 'string' || !('finish' in moves)) return moves
    const { copy, finish, open, forget } = moves
    return {
      ...moves,
      ...(copy && { copy: (ends, tenant) => around(() => copy(ends, tenant)) }),
      finish: (ends, tenant) => around(() => finish(ends, tenant)),
      ...(open && { open: (at, tenant) => around(() => open(at, tenant)) }),
      forget: (ends, tenant) => around(() => forget(ends, tenant)),
    }
  }
  const { source, target, services } = world.cells
  return {
    points: () => point,
    directory: wrapped(world.directory),
    cells: {
      source: { ...source, database: wrapped(source.database) },
      target: { ...target, database: wrapped(target.database) },
      services: services.map(({ service, ...cell }) => ({
        service,
        source: wrappedMoves(cell.source),
        target: wrappedMoves(cell.target),
      })),
    },
    route: {
      hold: (tenant: string) => around(() => world.route.hold(tenant)),
      switch: (tenant: string, cell: string) => around(() => world.route.switch(tenant, cell)),
      release: (tenant: string) => around(() => world.route.release(tenant)),
    },
  }
}
