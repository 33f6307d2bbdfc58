-- Tasks that keep the members of a group in line with a tag or a query.
create table tag_sync_tasks (
  tenant text not null,
  id uuid not null,
  group_key text not null,
  -- As it was asked for: a tag, or a query.
  tag_key text,
  tag_value text,
  query jsonb,
  role_arn text not null,
  status text not null check (status in ('ACTIVE', 'ERROR')),
  error_message text,
  created_at timestamptz not null,
  primary key (tenant, id),
  foreign key (tenant, group_key) references groups (tenant, key) on delete cascade,
  check ((query is null) = (tag_key is not null and tag_value is not null))
);
create index tag_sync_tasks_by_group on tag_sync_tasks (tenant, group_key, id);

-- The task that put a member into its group; null if somebody did.
alter table members add column task_id uuid;

-- What was last done with a resource in a group.
create table grouping_statuses (
  tenant text not null,
  group_key text not null,
  resource_key text collate "C" not null,
  id text not null,
  action text not null check (action in ('GROUP', 'UNGROUP')),
  status text not null check (status in ('SUCCESS', 'FAILED', 'IN_PROGRESS')),
  error_code text,
  error_message text,
  updated_at timestamptz not null,
  primary key (tenant, group_key, resource_key),
  foreign key (tenant, group_key) references groups (tenant, key) on delete cascade
);
create index grouping_statuses_by_age on grouping_statuses (updated_at);
