-- How many public contributions have a value, by refinement: of the tenant, of each owner and of each assignment.
create table tallies (
  tenant text not null,
  -- `tenant`, `owner:` or `assignment:` with its id.
  scope text collate "C" not null,
  refinement text collate "C" not null,
  value text collate "C" not null,
  contributions bigint not null,
  primary key (tenant, scope, refinement, value)
);
create index tallies_most on tallies (tenant, scope, refinement, contributions desc, value);

-- What became public, or is not any more, since the tallies were brought up to date. Whoever reads adds these to them:
-- moderators only add rows, and never wait for each other.
create table tally_changes (
  tenant text not null,
  id bigint generated always as identity,
  -- 1 or -1
  change integer not null,
  assignment bigint not null,
  owner text not null,
  author text not null,
  country text,
  created_at timestamptz not null,
  cell text collate "C",
  cell_precision smallint,
  media_types text[] not null,
  primary key (tenant, id)
);

create function note_published() returns trigger language plpgsql as $$
begin
  insert into contribution_collection.tally_changes (tenant, change, assignment, owner, author, country, created_at,
    cell, cell_precision, media_types)
  select tenant, 1, assignment, owner, author, country, created_at, cell, cell_precision, media_types
  from added where is_public;
  return null;
end $$;

create function note_changed() returns trigger language plpgsql as $$
begin
  insert into contribution_collection.tally_changes (tenant, change, assignment, owner, author, country, created_at,
    cell, cell_precision, media_types)
  select tenant, 1, assignment, owner, author, country, created_at, cell, cell_precision, media_types
  from added where is_public
  union all
  select tenant, -1, assignment, owner, author, country, created_at, cell, cell_precision, media_types
  from removed where is_public;
  return null;
end $$;

create trigger published after insert on contributions
  referencing new table as added for each statement execute function note_published();
-- Rows that are removed are hidden first; with a tenant, its tallies go, too.
create trigger changed after update on contributions
  referencing old table as removed new table as added for each statement execute function note_changed();

insert into tally_changes (tenant, change, assignment, owner, author, country, created_at, cell, cell_precision,
  media_types)
select tenant, 1, assignment, owner, author, country, created_at, cell, cell_precision, media_types
from contributions where is_public;
