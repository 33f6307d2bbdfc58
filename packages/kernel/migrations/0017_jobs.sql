-- Jobs, waiting and running. A completed job is deleted.
create table jobs (
  id bigint generated always as identity primary key,
  queue text not null, -- its service
  payload jsonb not null,
  lane text not null generated always as (coalesce(payload ->> 'lane', 'default')) stored,
  tenant text not null generated always as (payload ->> 'tenant') stored,
  key text generated always as ((payload ->> 'job') || ' ' || (payload ->> 'key')) stored,
  enqueued_at timestamptz not null default clock_timestamp(),
  attempt int not null default 0, -- how often it was claimed; with the id, a fencing token
  is_running boolean not null default false,
  started_at timestamptz, -- its last attempt
  renewed_at timestamptz -- by its worker's heartbeat; in no index, so that renewals are HOT updates
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02);

-- Workers go from tenant to tenant, without reading through the jobs of one to find the next.
create index jobs_waiting on jobs (queue, lane, tenant, id) where not is_running;
create index jobs_running on jobs (queue) where is_running;

-- Of the jobs with one key, at most one waits that has never started. Retries have.
create unique index jobs_waiting_by_key on jobs (queue, tenant, key)
  where key is not null and attempt = 0 and not payload ? 'failures';
create index jobs_by_key on jobs (queue, tenant, key) where key is not null;

-- Nodes of older versions are stopped by now, so what was running waits again. If one is not, the lock waits for its open
-- transactions, whose jobs would be lost; later ones fail.
lock table jobs.job_common;
insert into jobs (queue, payload, attempt)
select regexp_replace(name, '-dead$', ''), data, case when state = 'created' and source_id is null then 0 else 1 end
from jobs.job_common where state in ('created', 'retry', 'active') order by created_on;
drop schema jobs cascade;
