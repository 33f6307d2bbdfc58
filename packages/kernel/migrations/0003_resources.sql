-- What tenants have, across services: for groups by tag and for backups. A service writes it with its own row.
create table resources (
  tenant text not null,
  -- The service's own name for it, in lower case, since some services look past it.
  key text not null,
  id text not null,
  service text not null,
  type text not null,
  name text not null,
  -- A resource group or the like, if the service has any.
  scope text,
  location text,
  tags jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant, key)
);
create index resources_by_tags on resources using gin (tags jsonb_path_ops);
create index resources_by_type on resources (tenant, type, key);
