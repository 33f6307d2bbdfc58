-- Databases of before 0017 have this table from pg-boss; 0008 and 0012 index it, and 0017 drops it.
create schema if not exists jobs;
create table if not exists jobs.job_common (
  id uuid, name text, data jsonb, group_id text, group_tier text, singleton_key text, state text, blocked boolean,
  source_id uuid, created_on timestamptz
);
