-- Names are compared without case and shown as they were given at creation: the keys are the names in lower case.
create table diagnostics (
  tenant text not null,
  subscription_key text collate "C" not null,
  group_key text collate "C" not null,
  service_key text collate "C" not null,
  name_key text collate "C" not null,
  subscription text not null,
  resource_group text not null,
  service text not null,
  -- "C" orders by code point, which is how $filter compares.
  name text collate "C" not null,
  properties jsonb not null,
  etag text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant, subscription_key, group_key, service_key, name_key)
);

-- What a node asks when it has answered a request of a service.
create index diagnostics_by_service on diagnostics (tenant, service_key, name_key);
