-- Servers and elastic pools are resources of their own. A server that has no database was only ever named: it goes, and
-- comes again with the next database that names it.
delete from servers as known where not exists (
  select from databases as one where (one.tenant, one.subscription_key, one.group_key, one.server_key)
    = (known.tenant, known.subscription_key, known.group_key, known.server_key));

alter table servers
  add column name_key text generated always as (server_key) stored,
  add column subscription text,
  add column resource_group text,
  add column name text,
  add column location text,
  add column tags jsonb not null default '{}';

update servers as known set subscription = first.subscription, resource_group = first.resource_group,
  name = first.server, location = first.location
from (
  select distinct on (tenant, subscription_key, group_key, server_key) *
  from databases order by tenant, subscription_key, group_key, server_key, created_at, id) as first
where (first.tenant, first.subscription_key, first.group_key, first.server_key)
  = (known.tenant, known.subscription_key, known.group_key, known.server_key);

alter table servers
  alter column subscription set not null,
  alter column resource_group set not null,
  alter column name set not null,
  alter column location set not null;

create table pools (
  tenant text not null,
  subscription_key text not null,
  group_key text not null,
  server_key text not null,
  name_key text not null,
  subscription text not null,
  resource_group text not null,
  server text not null,
  name text not null,
  location text not null,
  tags jsonb not null,
  objective text not null,
  max_size_bytes bigint,    -- null: as much as the objective gives
  max_connections integer,
  max_capacity integer,     -- of one database; null: all that the pool has
  license_type text,
  operation text,           -- the latest, if there was any
  created_at timestamptz not null,
  primary key (tenant, subscription_key, group_key, server_key, name_key),
  foreign key (tenant, subscription_key, group_key, server_key) references servers
);

-- Pools that came into being with their first database share what they shared before: a hundred connections.
insert into pools
select distinct on (tenant, subscription_key, group_key, server_key, pool_key)
  tenant, subscription_key, group_key, server_key, pool_key, subscription, resource_group, server, pool, location, '{}'::jsonb,
  'StandardPool_100', null::bigint, null::integer, null::integer, null, null, created_at
from databases where pool_key is not null
order by tenant, subscription_key, group_key, server_key, pool_key, created_at, id;

alter table databases add foreign key (tenant, subscription_key, group_key, server_key, pool_key) references pools;

insert into icosa.resources (tenant, key, id, service, type, name, scope, location, created_at, updated_at)
select tenant, lower(id), id, 'sql-databases', type, name, scope, location, created_at, created_at
from (
  select tenant, name, location, created_at, 'Vendor.Sql/servers' as type,
    format('/subscriptions/%s/resourceGroups/%s', subscription, resource_group) as scope,
    format('/subscriptions/%s/resourceGroups/%s/providers/Vendor.Sql/servers/%s', subscription, resource_group, name) as id
  from servers
  union all
  select tenant, name, location, created_at, 'Vendor.Sql/servers/elasticPools',
    format('/subscriptions/%s/resourceGroups/%s', subscription, resource_group),
    format('/subscriptions/%s/resourceGroups/%s/providers/Vendor.Sql/servers/%s/elasticPools/%s', subscription,
      resource_group, server, name)
  from pools) as known
on conflict do nothing;
