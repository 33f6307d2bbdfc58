-- Jobs on their way to a host, one for each tenant that has something due there. A host itself belongs to the one job that
-- is at work: a tenant whose jobs wait for long keeps nobody else from it.
create table turns (
  host text not null,
  tenant text not null,
  claim uuid not null,
  until timestamptz not null,
  primary key (host, tenant)
);

-- Who has something due at a host, the feeds first.
create index crawls_by_host_and_tenant on crawls (host, tenant, (kind <> 'feed'), due_at) where due_at is not null;
