-- Names are compared in lower case (the keys) and shown as they were given.
create table collections (
  tenant text not null,
  subscription_key text not null,
  group_key text not null,
  name_key text not null,
  id uuid not null,
  subscription text not null,
  resource_group text not null,
  name text not null,
  location text not null,
  tags jsonb not null,
  sku text not null check (sku in ('Standard', 'Free', 'P10Premium', 'P20Premium')),
  state text not null check (state in ('Enabled', 'Disabled', 'Suspended')),
  quota jsonb not null,
  job_count integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant, subscription_key, group_key, name_key),
  unique (tenant, id)
);

-- A job belongs to a collection by the collection's id: one of the same name that is made later is another.
create table jobs (
  tenant text not null,
  collection_id uuid not null,
  name_key text not null,
  id uuid not null,
  name text not null,
  -- What its owner wrote, without secrets: action, recurrence, startTime.
  definition jsonb not null,
  secrets bytea, -- sealed
  state text not null check (state in ('Enabled', 'Disabled', 'Completed', 'Faulted')),
  -- A copy of the collection's state, for the index of what is due.
  collection_enabled boolean not null,
  starts_at timestamptz not null,
  next_execution_at timestamptz,
  -- Occurrences before it do not happen: its collection was disabled then.
  resumed_at timestamptz,
  occurrence_count integer not null default 0,
  -- How many missed occurrences in a row were made up for.
  made_up_for integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant, collection_id, name_key),
  unique (tenant, id)
);
create index jobs_due on jobs (next_execution_at)
  where state = 'Enabled' and collection_enabled and next_execution_at is not null;
create index jobs_by_state on jobs (tenant, collection_id, state, name_key);

-- What changes with every execution, apart: whoever writes a result must not stand in the way of whoever fires.
create table statuses (
  tenant text not null,
  job_id uuid not null,
  execution_count integer not null default 0,
  failure_count integer not null default 0,
  faulted_count integer not null default 0,
  last_execution_at timestamptz,
  history_number bigint not null default 0,
  primary key (tenant, job_id)
) with (fillfactor = 70);

-- Executions that have not ended. The id says job and time, so one time is one execution.
create table executions (
  tenant text not null,
  job_id uuid not null,
  id text not null,
  expected_at timestamptz not null,
  repeat_count integer not null,
  -- Asked for by hand: a disabled job does it, too.
  by_hand boolean not null,
  action text not null default 'MainAction' check (action in ('MainAction', 'ErrorAction')),
  attempt integer not null default 0,
  primary key (tenant, job_id, id)
);

-- Every attempt, numbered by job.
create table history (
  tenant text not null,
  job_id uuid not null,
  number bigint not null,
  execution_id text not null,
  action text not null,
  attempt integer not null,
  repeat_count integer not null,
  status text not null check (status in ('Completed', 'Failed', 'Postponed')),
  message text not null,
  expected_at timestamptz not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  primary key (tenant, job_id, number)
);
create index history_by_age on history (ended_at);
