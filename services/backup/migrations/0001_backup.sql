-- Vaults: each has a repository of its own, which is named after its id and not after its name, since a name can come again.
create table vaults (
  tenant text not null,
  name text not null,
  id uuid not null unique,
  kind text not null check (kind in ('BACKUP_VAULT', 'LOGICALLY_AIR_GAPPED_BACKUP_VAULT')),
  password bytea not null,        -- of the repository, sealed
  creator_request_id text,
  tags jsonb not null,
  created_at timestamptz not null,
  -- A vault is locked, or it is not; from lock_at on nobody can change that any more.
  locked boolean not null default false,
  lock_at timestamptz,
  min_days integer,
  max_days integer,
  policy text,
  topic text,
  events text[] not null default '{}',
  points bigint not null default 0, -- how many recovery points it has
  primary key (tenant, name)
);

-- What can be restored. There is a row from the moment when all of it is in the repository until it has left it.
create table recovery_points (
  tenant text not null,
  id uuid not null,
  vault text not null,
  resource_arn text not null,
  resource_key text not null,     -- the same in lower case
  resource_type text not null,
  resource_name text not null,
  status text not null check (status in ('COMPLETED', 'DELETING', 'EXPIRED')),
  status_message text,
  attempt uuid not null,          -- the name of its file, which no other attempt to make it has
  snapshot text not null,
  bytes bigint not null,
  sha256 bytea not null,
  metadata jsonb not null,
  resource_tags jsonb not null,
  tags jsonb not null,
  role_arn text not null,
  created_by jsonb,
  source_vault text,              -- of a copy
  created_at timestamptz not null,
  completed_at timestamptz not null,
  cold_after_days integer,
  delete_after_days integer,
  opt_in boolean,
  delete_at timestamptz,
  last_restored_at timestamptz,
  primary key (tenant, id),
  foreign key (tenant, vault) references vaults
);
create index recovery_points_by_vault on recovery_points (tenant, vault, created_at, id);
create index recovery_points_by_resource on recovery_points (tenant, resource_key, created_at, id);
create index recovery_points_to_delete on recovery_points (delete_at) where delete_at is not null and status = 'COMPLETED';
create index recovery_points_going on recovery_points (tenant, vault) where status = 'DELETING';

create table backup_jobs (
  tenant text not null,
  id uuid not null,
  vault text not null,
  point_id uuid not null,
  resource_id text not null,      -- as the registry knows it
  resource_arn text not null,
  resource_key text not null,
  resource_type text not null,
  resource_name text not null,
  role_arn text not null,
  state text not null check (state in ('CREATED', 'RUNNING', 'ABORTING', 'ABORTED', 'COMPLETED', 'FAILED', 'EXPIRED')),
  message text,
  bytes bigint,
  created_by jsonb,
  lifecycle jsonb not null,
  tags jsonb not null,
  options jsonb not null,
  copies jsonb not null default '[]',
  created_at timestamptz not null,
  start_by timestamptz not null,
  complete_by timestamptz not null,
  completed_at timestamptz,
  primary key (tenant, id)
);
create index backup_jobs_by_time on backup_jobs (tenant, created_at, id);
create index backup_jobs_open on backup_jobs (tenant, vault) where state in ('CREATED', 'RUNNING', 'ABORTING');
create index backup_jobs_by_age on backup_jobs (completed_at) where completed_at is not null;

create table restore_jobs (
  tenant text not null,
  id uuid not null,
  point_id uuid not null,
  vault text not null,
  resource_arn text not null,
  resource_key text not null,
  resource_type text not null,
  role_arn text not null,
  status text not null check (status in ('PENDING', 'RUNNING', 'COMPLETED', 'ABORTED', 'FAILED')),
  message text,
  bytes bigint not null,
  metadata jsonb not null,
  copy_tags boolean not null,
  created_resource_arn text,
  point_created_at timestamptz not null,
  testing_plan text,
  validation_hours integer,
  validation_status text,
  validation_message text,
  deletion_status text,
  deletion_message text,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (tenant, id)
);
create index restore_jobs_by_time on restore_jobs (tenant, created_at, id);
create index restore_jobs_by_resource on restore_jobs (tenant, resource_key, created_at, id);
create index restore_jobs_open on restore_jobs (tenant, point_id) where status in ('PENDING', 'RUNNING');
create index restore_jobs_by_age on restore_jobs (completed_at) where completed_at is not null;

create table plans (
  tenant text not null,
  id uuid not null,
  name text not null,
  version_id uuid not null,       -- the current one
  creator_request_id text,
  tags jsonb not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  last_run_at timestamptz,
  primary key (tenant, id)
);
create index plans_by_name on plans (tenant, name);

create table plan_versions (
  tenant text not null,
  plan_id uuid not null,
  id uuid not null,
  document jsonb not null,
  created_at timestamptz not null,
  primary key (tenant, plan_id, id),
  foreign key (tenant, plan_id) references plans
);

create table selections (
  tenant text not null,
  plan_id uuid not null,
  id uuid not null,
  name text not null,
  document jsonb not null,
  creator_request_id text,
  created_at timestamptz not null,
  primary key (tenant, plan_id, id),
  unique (tenant, plan_id, name),
  foreign key (tenant, plan_id) references plans
);

create table accounts (
  tenant text primary key,
  opt_in jsonb not null
);

create table copy_jobs (
  tenant text not null,
  id uuid not null,
  source_vault text not null,
  source_point_id uuid not null,
  vault text not null,            -- the destination
  point_id uuid not null,
  resource_arn text not null,
  resource_key text not null,
  resource_type text not null,
  resource_name text not null,
  role_arn text not null,
  state text not null check (state in ('CREATED', 'RUNNING', 'COMPLETED', 'FAILED')),
  message text,
  bytes bigint not null,
  created_by jsonb,
  lifecycle jsonb not null,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (tenant, id)
);
create index copy_jobs_by_time on copy_jobs (tenant, created_at, id);
create index copy_jobs_open on copy_jobs (tenant, vault) where completed_at is null;
create index copy_jobs_by_age on copy_jobs (completed_at) where completed_at is not null;

create table legal_holds (
  tenant text not null,
  id uuid not null,
  title text not null,
  description text not null,
  status text not null check (status in ('ACTIVE', 'CANCELED')),
  -- Null: whatever it is.
  vaults text[],
  resources text[],               -- in lower case
  from_at timestamptz,
  to_at timestamptz,
  selection jsonb not null,
  tags jsonb not null,
  cancel_description text,
  created_at timestamptz not null,
  cancelled_at timestamptz,
  retain_until timestamptz,
  primary key (tenant, id)
);
create index legal_holds_active on legal_holds (tenant) where status = 'ACTIVE';
create index legal_holds_by_age on legal_holds (retain_until) where retain_until is not null;

create table restore_testing_plans (
  tenant text not null,
  name text not null,
  id uuid not null,               -- tells it from a later one of the same name
  version_id uuid not null,       -- what an earlier version has waiting finds itself replaced
  document jsonb not null,
  creator_request_id text,
  tags jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz,
  last_run_at timestamptz,
  primary key (tenant, name)
);

create table restore_testing_selections (
  tenant text not null,
  plan text not null,
  name text not null,
  document jsonb not null,
  creator_request_id text,
  created_at timestamptz not null,
  updated_at timestamptz,
  primary key (tenant, plan, name),
  foreign key (tenant, plan) references restore_testing_plans
);

create table frameworks (
  tenant text not null,
  name text not null,
  id uuid not null,
  description text,
  controls jsonb not null,
  token text,
  tags jsonb not null,
  created_at timestamptz not null,
  primary key (tenant, name)
);

create table report_plans (
  tenant text not null,
  name text not null,
  id uuid not null,
  description text,
  channel jsonb not null,
  setting jsonb not null,
  tags jsonb not null,
  created_at timestamptz not null,
  attempted_at timestamptz,
  succeeded_at timestamptz,
  primary key (tenant, name)
);

create table report_jobs (
  tenant text not null,
  id uuid not null,
  plan text not null,
  plan_id uuid not null,
  template text not null,
  status text not null check (status in ('CREATED', 'RUNNING', 'COMPLETED', 'FAILED')),
  message text,
  bucket text not null,
  keys text[] not null default '{}',
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (tenant, id)
);
create index report_jobs_by_time on report_jobs (tenant, created_at, id);
create index report_jobs_by_age on report_jobs (completed_at) where completed_at is not null;
