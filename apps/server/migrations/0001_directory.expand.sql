-- Cells, which tenant lives where, and names that are unique over all cells. Every change has a version.
create sequence versions;

create table cells (
  name text primary key check (name ~ '^[a-z][a-z0-9-]{0,30}$'),
  number int not null unique check (number between 1 and 16000), -- never given to another cell
  url text not null,
  database_url text not null,
  labels jsonb not null,
  capacity int not null check (capacity > 0),
  state text not null check (state in ('active', 'draining')),
  is_home boolean not null,
  version bigint not null unique
);
create unique index cells_home on cells (is_home) where is_home;
create sequence cell_numbers as int maxvalue 16000;

create table tenants (
  id text primary key,
  tag text not null unique,
  cell text not null references cells (name),
  is_held boolean not null default false, -- routers hold its requests while it is switched to another cell
  version bigint not null unique
);
create index tenants_by_cell on tenants (cell);

-- Number of tenants of each cell.
create table loads (
  cell text primary key references cells (name) on delete cascade,
  tenants bigint not null
);

-- `tenant_id`: a cell's own schemas are searched for rows of a `tenant`, and it may have this one, too.
create table names (
  purpose text not null,
  name text not null,
  tenant_id text not null references tenants (id) on delete cascade,
  version bigint not null unique,
  primary key (purpose, name)
);
create index names_by_tenant on names (tenant_id);

-- The last routes of removed cells, tenants and names, until they exist again, for 30 days. A copy that is older than that
-- keeps some of them, which does no harm: a name that is taken again has a new route.
create table removals (
  kind text not null check (kind in ('cell', 'tenant', 'name')),
  key text not null,
  route jsonb not null,
  version bigint not null unique,
  removed_at timestamptz not null default now(),
  primary key (kind, key)
);
create index removals_by_age on removals (removed_at);

-- One transaction at a time has versions that it has not committed: a reader that has seen one has seen all before it.
-- Runs before a statement locks rows, so that writers do not wait for each other in two orders.
create function serialize_writers() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('icosa directory', 0));
  return null;
end $$;

create function record_change() returns trigger language plpgsql as $$
declare
  its_kind constant text := tg_argv[0];
  key_before text;
  key_after text;
begin
  if its_kind = 'cell' then
    key_before := old.name;
    key_after := new.name;
  elsif its_kind = 'tenant' then
    key_before := old.tag;
    key_after := new.tag;
  else
    key_before := old.purpose || ' ' || old.name;
    key_after := new.purpose || ' ' || new.name;
  end if;
  if key_before is distinct from key_after then
    if key_before is not null then
      insert into directory.removals (kind, key, route, version)
      values (its_kind, key_before, to_jsonb(old), nextval('directory.versions'));
      delete from directory.removals where removed_at < now() - interval '30 days';
    end if;
    delete from directory.removals where kind = its_kind and key = key_after;
  end if;
  if tg_op = 'DELETE' then
    return old;
  end if;
  new.version := nextval('directory.versions');
  return new;
end $$;

create trigger serialized before insert or update or delete on cells for each statement execute function serialize_writers();
create trigger serialized before insert or update or delete on tenants for each statement execute function serialize_writers();
create trigger serialized before insert or update or delete on names for each statement execute function serialize_writers();
create trigger change before insert or update or delete on cells
  for each row execute function record_change('cell');
create trigger change before insert or update or delete on tenants
  for each row execute function record_change('tenant');
create trigger change before insert or update or delete on names
  for each row execute function record_change('name');

create function count_tenants() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    update directory.loads as l set tenants = l.tenants - gone.tenants
    from (select cell, count(*) as tenants from before group by cell) as gone where l.cell = gone.cell;
  end if;
  if tg_op <> 'DELETE' then
    insert into directory.loads as l (cell, tenants) select cell, count(*) from after group by cell
    on conflict (cell) do update set tenants = l.tenants + excluded.tenants;
  end if;
  return null;
end $$;
create trigger inserted after insert on tenants referencing new table as after
  for each statement execute function count_tenants();
create trigger updated after update on tenants referencing old table as before new table as after
  for each statement execute function count_tenants();
create trigger deleted after delete on tenants referencing old table as before
  for each statement execute function count_tenants();
