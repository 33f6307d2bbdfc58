-- What a caller has used in an hour, over all nodes: reserved before the work, corrected after it. The tenant is that of a key,
-- or the network of an anonymous caller ('address 203.0.113.7'); the row of all anonymous callers is '*'.
create table usage (
  tenant text not null,
  hour timestamptz not null,
  cpu_ms bigint not null,
  bytes bigint not null,
  primary key (tenant, hour)
);
create index usage_by_age on usage (hour);
