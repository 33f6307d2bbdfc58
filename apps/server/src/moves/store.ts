import { type Db, type ReadingDb, type Sql, sql } from '@icosa/kernel'

/** States of a move, in ADR 105. The last four are final. */
export type State =
  | 'checking'
  | 'copying'
  | 'following'
  | 'fenced'
  | 'switched'
  | 'reversible'
  | 'finishing'
  | 'returning'
  | 'cancelling'
  | 'finished'
  | 'returned'
  | 'cancelled'
  | 'failed'

export const finalStates: readonly State[] = ['finished', 'returned', 'cancelled', 'failed']

export interface Move {
  readonly id: string
  readonly tenant: string
  /** Names of cells. */
  readonly source: string
  readonly target: string
  readonly state: State
  readonly detail: string
  /** Whether all tables and blobs were equal after the switch; null if they were not compared. */
  readonly isEqual: boolean | null
}

const columns = sql`id, tenant, source, target, state, detail, is_equal as "isEqual"`

export const listMoves = (db: ReadingDb): Promise<Move[]> =>
  db.many(sql`select ${columns} from directory.moves order by started_at, id`)

/** Moves under way, and the last 100 others, the newest first. */
export const recentMoves = (db: ReadingDb): Promise<Move[]> =>
  db.many(sql`
    select ${columns} from directory.moves where state <> all(${[...finalStates]}) or id in (
      select id from directory.moves where state = any(${[...finalStates]}) order by started_at desc limit 100)
    order by started_at desc, id`)

/** The move of a tenant that is not in a final state. */
export const openMove = (db: ReadingDb, tenant: string): Promise<Move | undefined> =>
  db.maybe(sql`select ${columns} from directory.moves where tenant = ${tenant} and state <> all(${[...finalStates]})`)

/** Tenants with a move from a cell that is not in a final state. */
export const openMovesFrom = async (db: ReadingDb, cell: string): Promise<string[]> =>
  (
    await db.many<{ tenant: string }>(sql`
      select tenant from directory.moves where source = ${cell} and state <> all(${[...finalStates]}) order by started_at, id`)
  ).map(({ tenant }) => tenant)

export const startMove = (
  db: Db,
  { tenant, source, target }: Pick<Move, 'tenant' | 'source' | 'target'>,
): Promise<Move> =>
  db.one(sql`
    insert into directory.moves (tenant, source, target, state) values (${tenant}, ${source}, ${target}, 'checking')
    returning ${columns}`)

export interface Step extends Pick<Move, 'state'>, Partial<Pick<Move, 'detail' | 'isEqual'>> {}

/** Omitted fields keep their values. */
export const setState = (db: Db, { id }: Move, { state, detail, isEqual }: Step): Promise<Move> =>
  db.one(sql`
    update directory.moves set state = ${state}, detail = coalesce(${detail ?? null}, detail),
      is_equal = coalesce(${isEqual ?? null}, is_equal), changed_at = clock_timestamp()
    where id = ${id} returning ${columns}`)

/** Runs `work` unless another process works on the tenant's move. The transaction writes nothing, so it holds up no other. */
export async function alone(
  database: { transaction<T>(work: (db: Db) => Promise<T>): Promise<T> },
  tenant: string,
  work: () => Promise<void>,
): Promise<boolean> {
  const lock: Sql = sql`select pg_try_advisory_xact_lock(hashtextextended(${`icosa move ${tenant}`}, 0)) as "isOurs"`
  return database.transaction(async (db) => {
    await db.script('set local idle_in_transaction_session_timeout = 0')
    const { isOurs } = await db.one<{ isOurs: boolean }>(lock)
    if (isOurs) await work()
    return isOurs
  })
}
