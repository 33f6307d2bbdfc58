-- Keys of the tenants, sealed under the data keys of the cell: `seal` encrypts their secrets, `derive` is the root of the
-- keys derived for them. `inherited` lists keys that were derived for a tenant before it had a root of its own; without a
-- text it stands for all that are derived from the root of this cell. Deleting a tenant deletes its keys.
create table tenant_keys (
  tenant text not null,
  generation bigint generated always as identity,
  purpose text not null check (purpose in ('seal', 'derive', 'inherited')),
  id text not null,
  used_from timestamptz not null, -- real time: every node knows a key before anybody uses it
  sealed bytea check (sealed is not null or purpose = 'inherited'),
  primary key (tenant, generation)
);

-- At most one row: since when tenants have keys of their own. Nodes of earlier versions cannot open what these seal, so
-- `icosa tenants rekey --all` adds the row, after an upgrade of all nodes. A new database has no such nodes.
create table tenant_key_use (
  only_row boolean primary key default true check (only_row),
  since timestamptz not null
);
insert into tenant_key_use (since)
select clock_timestamp()
where not exists (select from tenants) and not exists (select from signing_keys)
  and not exists (select from icosa.migrations where owner <> 'icosa');
