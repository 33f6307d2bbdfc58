-- A group of machines: a cluster with a monitor that watches it and promotes.
create table groups (
  tenant text not null,
  subscription_key text not null,
  group_key text not null,
  name_key text not null,
  subscription text not null,
  resource_group text not null,
  name text not null,
  id uuid not null unique,
  location text not null,
  tags jsonb not null,
  offer text not null,
  sku text not null,
  secrets bytea not null,  -- sealed: what its machines, their monitor and their users sign in with
  state text not null,
  message text,
  work uuid not null,      -- the last work that was begun: whatever was begun before may not finish
  operation text not null,
  created_at timestamptz not null,
  primary key (tenant, subscription_key, group_key, name_key)
);

create table machines (
  tenant text not null,
  subscription_key text not null,
  group_key text not null,
  name_key text not null,
  subscription text not null,
  resource_group text not null,
  name text not null,
  id uuid not null unique,
  cluster uuid references groups (id),
  location text not null,
  tags jsonb not null,
  virtual_machine text,
  license text,
  management text not null,
  offer text not null,
  sku text not null,
  settings jsonb not null, -- as the caller sent them, without what is secret
  secrets bytea not null,  -- sealed
  state text not null,
  message text,
  work uuid not null,
  operation text not null,
  created_at timestamptz not null,
  patched_at timestamptz,
  primary key (tenant, subscription_key, group_key, name_key)
);

create index machines_by_cluster on machines (cluster, name_key) where cluster is not null;

create table listeners (
  tenant text not null,
  cluster uuid not null references groups (id) on delete cascade,
  name_key text not null,
  name text not null,
  id uuid not null unique,
  availability_group text,
  port integer not null,
  probe_port integer,
  members text[] not null, -- ids of machines, in lower case; empty: all of the group
  created_at timestamptz not null,
  primary key (tenant, cluster, name_key)
);

-- Nodes that offer room: a folder on a machine, held by one process at a time. By the database's own clock.
create table hosts (
  id uuid primary key,
  address text not null,
  memory_bytes bigint not null,
  disk_bytes bigint not null,
  first_port integer not null,
  last_port integer not null,
  problem text,            -- why nothing can run there
  holder uuid not null,
  expires_at timestamptz not null
);

-- What runs, or is to run, on a host: a machine, or the monitor of a group.
create table instances (
  id uuid primary key,
  tenant text not null,
  kind text not null,
  cluster uuid,
  host uuid not null references hosts (id),
  port integer not null,
  size text not null,
  memory_bytes bigint not null,
  disk_bytes bigint not null,
  is_wanted boolean not null default true,
  restart integer not null default 0,    -- counts how often it was asked to start again
  restarted integer not null default 0,  -- which of these was done last
  phase text not null default 'Placed',
  role text,
  message text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

create index instances_by_host on instances (host);
create index instances_by_cluster on instances (cluster) where cluster is not null;

-- A port belongs to one instance or listener of the cell: listeners are open on every host.
create table ports (
  port integer primary key,
  owner uuid not null
);

create index ports_by_owner on ports (owner);

-- Where a listener is open, or why it is not.
create table openings (
  listener uuid not null references listeners (id) on delete cascade,
  host uuid not null references hosts (id),
  problem text,
  primary key (listener, host)
);
