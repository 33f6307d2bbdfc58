import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, sql, varying } from '../db.ts'

interface Blocker {
  readonly pid: number
  readonly application: string | null
  readonly role: string | null
  readonly state: string | null
  readonly seconds: number | null
  readonly wanted: string | null
}

/** Reports who holds the lock that `work`'s statement waits for, whenever that changes. */
export async function watchingBlockers<T>(
  db: Db,
  statement: string,
  onBlocked: (description: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const ended = new AbortController()
  void watch(db, statement, onBlocked, ended.signal).catch(() => {}) // the report is best effort
  try {
    return await work()
  } finally {
    ended.abort()
  }
}

const everyMs = 500

async function watch(db: Db, statement: string, onBlocked: (description: string) => void, signal: AbortSignal) {
  let reported = ''
  for (;;) {
    await sleep(everyMs, undefined, { signal, ref: false })
    const blockers = await blockersOf(db, statement)
    signal.throwIfAborted()
    const pids = blockers.map(({ pid }) => pid).join()
    if (pids !== '' && pids !== reported) onBlocked(blockers.map(describe).join('; '))
    reported = pids
  }
}

/** Finds the waiting backend by its statement, of which the server shows the first 1,023 bytes by default. */
const blockersOf = (db: Db, statement: string) =>
  db.many<Blocker>(
    varying(sql`
      select blocker.pid, nullif(blocker.application_name, '') as application, blocker.usename as role, blocker.state,
        extract(epoch from clock_timestamp() - blocker.xact_start)::int as seconds,
        (select coalesce(relation::regclass::text, locktype) from pg_locks
          where pid = waiter.pid and not granted limit 1) as wanted
      from pg_stat_activity as waiter, unnest(pg_blocking_pids(waiter.pid)) as blocking (pid)
      join pg_stat_activity as blocker using (pid)
      where waiter.datname = current_database() and waiter.pid <> pg_backend_pid() and waiter.wait_event_type = 'Lock'
        and left(waiter.query, 200) = left(${statement}, 200)
      order by blocker.pid`),
  )

function describe({ pid, application, role, state, seconds, wanted }: Blocker): string {
  const doing = [role && `role ${role}`, state, seconds !== null && `in a transaction for ${seconds} s`]
  return `${wanted ?? 'a lock'} is locked by process ${pid} of ${application ?? 'an unnamed application'} (${doing.filter(Boolean).join(', ')})`
}
