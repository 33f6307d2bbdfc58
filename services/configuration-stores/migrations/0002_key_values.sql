-- Every state that a key-value ever had, with the time in which it held. The last one holds until infinity, or until
-- the key-value was deleted. Text is compared by code point, so that a filter by prefix is a range of the index.
create table revisions (
  tenant text not null,
  store uuid not null,
  key text collate "C" not null,
  -- Empty: without a label.
  label text collate "C" not null,
  number bigint generated always as identity,
  value text,
  content_type text,
  tags jsonb not null,
  locked boolean not null,
  etag text not null,
  changed_at timestamptz not null,
  replaced_at timestamptz not null default 'infinity',
  primary key (tenant, store, key, label, number),
  foreign key (tenant, store) references stores (tenant, id) on delete cascade
);
create unique index revisions_current on revisions (tenant, store, key, label) where replaced_at = 'infinity';
create index revisions_by_label on revisions (tenant, store, label, key) where replaced_at = 'infinity';
create index revisions_by_number on revisions (tenant, store, number);
create index revisions_replaced on revisions (tenant, store, replaced_at) where replaced_at < 'infinity';

create table snapshots (
  tenant text not null,
  store uuid not null,
  name text collate "C" not null,
  status text not null check (status in ('provisioning', 'ready', 'archived', 'failed')),
  filters jsonb not null,
  composition_type text not null,
  tags jsonb not null,
  retention_seconds integer not null,
  size bigint not null default 0,
  items_count integer not null default 0,
  etag text not null,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  -- When an archived one is deleted.
  expires_at timestamptz,
  primary key (tenant, store, name),
  foreign key (tenant, store) references stores (tenant, id) on delete cascade
);
create index snapshots_expiring on snapshots (expires_at) where expires_at is not null;

-- Copies, since a snapshot outlives the revisions that it was taken of.
create table snapshot_items (
  tenant text not null,
  store uuid not null,
  snapshot text collate "C" not null,
  key text collate "C" not null,
  label text collate "C" not null,
  number bigint not null,
  value text,
  content_type text,
  tags jsonb not null,
  locked boolean not null,
  etag text not null,
  changed_at timestamptz not null,
  primary key (tenant, store, snapshot, key, label),
  foreign key (tenant, store, snapshot) references snapshots (tenant, store, name) on delete cascade
);
