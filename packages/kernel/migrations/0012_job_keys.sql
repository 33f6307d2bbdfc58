-- Of the jobs that share a key, at most one waits that has never begun. One that is tried again has begun, whether its
-- worker died or it failed; so has what comes from a dead worker's queue. `singleton_key` names the job and the key.
create unique index job_waiting_by_key on jobs.job_common (name, group_id, singleton_key)
  where singleton_key is not null and state = 'created' and source_id is null and not data ? 'failures';
create unique index timers_waiting_by_key on timers
  (queue, (payload ->> 'job'), (payload ->> 'tenant'), (payload ->> 'key'))
  where payload ? 'key' and not payload ? 'failures';

-- All that is left of a key when it is cancelled.
create index job_by_key on jobs.job_common (name, group_id, singleton_key)
  where singleton_key is not null and state < 'completed';
create index timers_by_key on timers (queue, (payload ->> 'job'), (payload ->> 'tenant'), (payload ->> 'key'))
  where payload ? 'key';
