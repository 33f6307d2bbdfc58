-- Who may call.
create table tenants (
  id text primary key,
  created_at timestamptz not null
);

-- A key is kept as a hash: it can be checked, never shown again. A signing secret must be read back to check a
-- signature, so it is kept encrypted under the master key.
create table credentials (
  id text primary key,
  tenant text not null references tenants,
  name text not null,
  key_hash bytea unique,
  signing_secret bytea,
  permissions text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  check ((key_hash is null) <> (signing_secret is null))
);
create index credentials_by_tenant on credentials (tenant, created_at, id);

-- Work that goes on after the reply.
create table operations (
  tenant text not null,
  id text not null,
  service text not null,
  kind text not null,
  status text not null check (status in ('pending', 'running', 'succeeded', 'failed', 'cancelled')),
  progress double precision check (progress between 0 and 1),
  resource text,
  result jsonb,
  error jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant, id)
);

-- A terminal state never leaves, whoever writes.
create function refuse_to_leave_a_terminal_state() returns trigger language plpgsql as $$
begin
  raise exception 'operation % is % already', old.id, old.status using errcode = 'integrity_constraint_violation';
end $$;
create trigger operations_terminal before update on operations
  for each row when (old.status in ('succeeded', 'failed', 'cancelled'))
  execute function refuse_to_leave_a_terminal_state();

-- Jobs that wait for a time of the platform's clock.
create table timers (
  id bigint generated always as identity primary key,
  due_at timestamptz not null,
  queue text not null,
  payload jsonb not null
);
create index timers_by_due on timers (due_at);

create table schedules (
  name text primary key,
  queue text not null,
  payload jsonb not null,
  every_ms bigint not null check (every_ms > 0),
  next_at timestamptz not null
);
create index schedules_by_next on schedules (next_at);

-- One row: by how much the platform's clock differs from the system's, or where it stands still.
create table clock (
  only_row boolean primary key default true check (only_row),
  offset_ms bigint not null default 0,
  frozen_at timestamptz
);
insert into clock default values;
