-- Who gets in, and what happens to a store that is deleted.
alter table stores
  add column public_network_access boolean not null default true,
  add column disable_local_auth boolean not null default false,
  -- For how many days it is kept when it is deleted; null if it is not.
  add column retention_days smallint check (retention_days between 1 and 7),
  add column purge_protection boolean not null default false,
  -- Of a deleted store that is still kept.
  add column deleted_at timestamptz,
  add column purge_at timestamptz;
-- Nothing was ever done by an identity, nor encrypted with a key: both are refused now. The columns are left for nodes
-- of the version before, which run until the last of them is replaced.
create index stores_deleted on stores (purge_at) where deleted_at is not null;
