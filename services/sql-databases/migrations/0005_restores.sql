-- Where and since when a database can be restored from the archive. Supervision sets both for databases from before, and for
-- those that came with their tenant from another host, of which this archive knows nothing.
alter table databases
  add column host text,               -- system identifier of the SQL host
  add column host_since timestamptz,  -- by the clock of the SQL host: from then on it was there, with all that it began with
  add column dropped_at timestamptz,  -- by the clock of the SQL host: closed for its deletion
  add column restore_source text,     -- the name in the archive of the database from which it is restored
  add column restore_time timestamptz;

-- Deleted databases, as long as they can be restored.
create table dropped_databases (
  tenant text not null,
  id uuid not null,
  subscription_key text not null,
  group_key text not null,
  server_key text not null,
  name_key text not null,
  subscription text not null,
  resource_group text not null,
  server text not null,
  name text not null,
  physical text not null,
  host text not null,
  host_since timestamptz not null,
  location text not null,
  objective text not null,
  max_size_bytes bigint,
  max_connections integer,
  pool text,
  collation_name text,
  host_collation text,
  license_type text,
  created_at timestamptz not null,
  dropped_at timestamptz not null,
  primary key (tenant, id)
);
create index dropped_databases_by_server
  on dropped_databases (tenant, subscription_key, group_key, server_key, name_key, dropped_at);

-- A recovery point that came with its tenant from another host is not in the archive of this one.
alter table kept_databases add column host text;
