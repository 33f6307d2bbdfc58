-- Names are compared in lower case (the key) and shown as they were given, as in the platform's registry.
create table groups (
  tenant text not null,
  key text not null,
  -- Tells a group from a later one of the same name.
  unique_id uuid not null,
  name text not null,
  description text,
  tags jsonb not null,
  -- A group has a query or a configuration, never both.
  query jsonb,
  -- The types that the query asks for, in lower case.
  resource_types text[] not null default '{}',
  configuration jsonb,
  proposed jsonb,
  configuration_status text check (configuration_status in ('UPDATING', 'UPDATE_COMPLETE', 'UPDATE_FAILED')),
  failure_reason text,
  -- How many events there were of it.
  event_sequence bigint not null default 0,
  created_at timestamptz not null,
  primary key (tenant, key),
  check (query is null or (configuration is null and proposed is null))
);

-- What was put into a group by hand. A resource that was deleted and made again is another one, and no member.
create table members (
  tenant text not null,
  group_key text not null,
  resource_key text not null,
  resource_created_at timestamptz not null,
  pending boolean not null,
  primary key (tenant, group_key, resource_key),
  foreign key (tenant, group_key) references groups (tenant, key) on delete cascade
);

-- The members of a group when they were last compared: what has come and gone since then becomes an event.
create table seen (
  tenant text not null,
  group_key text not null,
  resource_key text not null,
  id text not null,
  type text not null,
  primary key (tenant, group_key, resource_key),
  foreign key (tenant, group_key) references groups (tenant, key) on delete cascade
);

-- Whether a tenant wants to hear of what happens to its groups.
create table accounts (
  tenant text primary key,
  desired text not null check (desired in ('ACTIVE', 'INACTIVE')),
  status text not null check (status in ('ACTIVE', 'INACTIVE', 'IN_PROGRESS', 'ERROR')),
  message text,
  -- Its groups are being compared.
  looking boolean not null default false
);
create index accounts_to_look_at on accounts (tenant) where status = 'ACTIVE' and not looking;
