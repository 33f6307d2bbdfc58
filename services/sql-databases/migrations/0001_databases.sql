-- Servers are not part of the interface: one is there as soon as a database was asked for on it. Its row is the lock
-- under which names and places in pools are given away.
create table servers (
  tenant text not null,
  subscription_key text not null,
  group_key text not null,
  server_key text not null,
  created_at timestamptz not null,
  primary key (tenant, subscription_key, group_key, server_key)
);

create table databases (
  tenant text not null,
  subscription_key text not null,
  group_key text not null,
  server_key text not null,
  name_key text not null,
  subscription text not null,
  resource_group text not null,
  server text not null,
  name text not null,
  id uuid not null unique,
  physical text not null unique, -- the database and the role on the SQL host, from before they exist until they are gone
  password bytea not null,       -- sealed
  location text not null,
  tags jsonb not null,
  status text not null,
  work uuid not null,            -- the last work that was begun: whatever was begun before may not finish
  operation text not null,
  objective text not null,
  current_objective text,        -- what the SQL host was last told
  applied boolean not null default false, -- whether it was told of all that is wanted
  max_size_bytes bigint,         -- null: as much as the objective gives
  max_connections integer,
  pool text,
  pool_key text,
  collation_name text,
  license_type text,
  source uuid,
  storage text not null default 'ReadWrite',
  read_only_bytes bigint not null default 0,
  created_at timestamptz not null,
  paused_at timestamptz,
  resumed_at timestamptz,
  primary key (tenant, subscription_key, group_key, server_key, name_key),
  foreign key (tenant, subscription_key, group_key, server_key) references servers
);

create index databases_by_pool on databases (tenant, subscription_key, group_key, server_key, pool_key, name_key)
  where pool_key is not null;

-- What was found on the SQL host without a row here, and when first.
create table orphans (
  physical text primary key,
  seen_at timestamptz not null
);
