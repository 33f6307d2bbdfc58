-- Keys that the platform made for itself, encrypted under the master keys that open them: `wrapped` has one text for each
-- of these, by its id. The newest that is in use seals secrets. None is ever deleted, so whatever was sealed can be opened.
create table data_keys (
  generation integer generated always as identity primary key,
  purpose text not null check (purpose in ('seal', 'derive')),
  id text not null,
  made_for text not null,         -- the first master key at the time
  used_from timestamptz not null, -- real time: every node knows a key before anybody uses it
  wrapped jsonb not null,
  unique (purpose, id)
);

-- One row: whether secrets and addresses may be around that were made with a master key itself, as it was before there
-- were data keys. On a new database no service has been here yet.
create table data_key_origin (
  only_row boolean primary key default true check (only_row),
  master_keys boolean not null
);
insert into data_key_origin (master_keys)
select exists (select 1 from tenants) or exists (select 1 from signing_keys)
  or exists (select 1 from icosa.migrations where owner <> 'icosa');
