-- What a directory of cells calls this cell, once it is in one. New names are then reserved there first.
create table cell (
  only_row boolean primary key default true check (only_row),
  name text not null
);

-- Names of which the directory may know something else than icosa.names: `asked` and `granted` before a row has them,
-- `changed` after a row got or lost them, `refused` if another cell has them.
create table name_changes (
  purpose text not null,
  name text not null,
  owner text not null, -- the tenant; the row outlives it
  state text not null check (state in ('asked', 'granted', 'changed', 'refused')),
  changed_at timestamptz not null default clock_timestamp(),
  primary key (purpose, name, owner)
);

-- Refuses a name that is not reserved, and the node reserves it and runs the transaction again. Addresses of functions
-- need no reservation: they end in the tag of the tenant.
create function note_name() returns trigger language plpgsql as $$
begin
  if not exists (select from icosa.cell) then
    return null;
  end if;
  if tg_op = 'INSERT' and new.purpose <> 'function' then
    update icosa.name_changes set state = 'changed', changed_at = clock_timestamp()
    where (purpose, name, owner) = (new.purpose, new.name, new.tenant) and (
      state = 'granted'
      or state = 'changed' and xmin = pg_current_xact_id()::xid); -- lost by this transaction, and not reported yet
    if not found then
      raise exception using errcode = 'IC002',
        message = format('The %s %s must be reserved in the directory of cells: set ICOSA_DIRECTORY_URL and ICOSA_CELL.',
          new.purpose, new.name),
        detail = to_jsonb(new)::text;
    end if;
    return null;
  end if;
  insert into icosa.name_changes as change (purpose, name, owner, state)
  select (coalesce(new, old)).purpose, (coalesce(new, old)).name, (coalesce(new, old)).tenant, 'changed'
  on conflict (purpose, name, owner) do update set state = 'changed', changed_at = excluded.changed_at
    where change.state = 'refused';
  return null;
end $$;
create trigger reserved after insert or delete on names for each row execute function icosa.note_name();

-- A new tenant gets the tag that was reserved for it, rather than another random one.
create function reserved_tag() returns trigger language plpgsql as $$
begin
  new.tag := coalesce(
    (select name from icosa.name_changes where (purpose, owner, state) = ('tag', new.id, 'granted') limit 1), new.tag);
  return new;
end $$;
create trigger reserved_tag before insert on tenants for each row execute function icosa.reserved_tag();
