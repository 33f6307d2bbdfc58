import { type Database, sql } from '@icosa/kernel'

export interface EndedJob {
  readonly queue: string
  readonly lane: string
  readonly tenant: string
  readonly payload: { readonly job: string; readonly input: unknown }
  readonly attempt: number
  /** From the start of the last attempt to its last heartbeat. */
  readonly renewedMs: number
}

/** Records jobs that end from now on, as their rows are deleted. Returns a function that lists them. */
export async function recordEndedJobs(database: Database): Promise<() => Promise<EndedJob[]>> {
  await database.script(`
    create table public.ended_jobs (like icosa.jobs);
    create function public.record_ended_job() returns trigger language plpgsql as
      $$ begin insert into public.ended_jobs select old.*; return null; end $$;
    create trigger record_ended_job after delete on icosa.jobs for each row execute function public.record_ended_job()`)
  return () =>
    database.many(sql`
      select queue, lane, tenant, payload, attempt,
        extract(epoch from renewed_at - started_at)::float8 * 1000 as "renewedMs"
      from public.ended_jobs order by id`)
}
