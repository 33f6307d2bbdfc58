create table stores (
  tenant text not null,
  -- Names are compared without case: the keys are in lower case, the names beside them as they were given.
  subscription_key text not null,
  group_key text not null,
  name_key text not null,
  subscription text not null,
  resource_group text not null,
  name text not null,
  -- By which its rows are found: a later store may have the same name.
  id uuid not null,
  location text not null,
  sku text not null check (sku in ('Free', 'Standard')),
  tags jsonb not null,
  identity jsonb,
  encryption jsonb,
  state text not null check (state in ('Creating', 'Updating', 'Deleting', 'Succeeded', 'Failed', 'Canceled')),
  created_at timestamptz not null,
  primary key (tenant, subscription_key, group_key, name_key),
  unique (tenant, id)
);
-- A name is part of an address, so no two tenants have the same one.
create unique index stores_by_name on stores (name_key);

create table access_keys (
  tenant text not null,
  store uuid not null,
  id text not null,
  name text not null,
  read_only boolean not null,
  position smallint not null,
  -- Sealed by the vault: callers may read it back.
  secret bytea not null,
  modified_at timestamptz not null,
  primary key (tenant, store, id),
  foreign key (tenant, store) references stores (tenant, id) on delete cascade
);

create table private_endpoint_connections (
  tenant text not null,
  store uuid not null,
  name_key text not null,
  name text not null,
  endpoint text,
  status text not null check (status in ('Pending', 'Approved', 'Rejected', 'Disconnected')),
  description text,
  primary key (tenant, store, name_key),
  foreign key (tenant, store) references stores (tenant, id) on delete cascade
);
