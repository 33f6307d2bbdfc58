alter table limits drop constraint limits_kind_check;
alter table limits add constraint limits_kind_check check (kind in ('resources', 'requests', 'bytes'));

-- What tenants whose bytes are limited have in the blob store, in the order of the store's own lists. What is being written has a
-- row as well, for as much as was allowed so far, under a key with a slash in front: no blob has such a key.
create table blobs (
  tenant text not null,
  service text not null,
  key text not null collate "C",
  bytes bigint not null check (bytes >= 0),
  at timestamptz not null,
  primary key (tenant, service, key)
);

-- The sum of these rows.
create table blob_bytes (
  tenant text not null,
  service text not null,
  bytes bigint not null,
  primary key (tenant, service)
);

-- Whoever adds to a sum holds its row, so that two cannot both take what is left. What is only counted afterwards is there
-- already, and is not refused.
create function count_blob() returns trigger language plpgsql as $$
declare
  more bigint := case when tg_op = 'DELETE' then 0 else new.bytes end - case when tg_op = 'INSERT' then 0 else old.bytes end;
  allowed record;
  counted bigint;
begin
  if more <= 0 then
    update platform.blob_bytes set bytes = bytes + more where tenant = old.tenant and service = old.service;
    return null;
  end if;
  if exists (select from platform.limits where tenant = new.tenant and service = '*' and kind = 'bytes') then
    perform pg_advisory_xact_lock(hashtextextended('icosa bytes ' || new.tenant, 0));
  end if;
  insert into platform.blob_bytes as sum values (new.tenant, new.service, more)
    on conflict (tenant, service) do update set bytes = sum.bytes + excluded.bytes;
  if current_setting('icosa.counting', true) = 'on' then
    return null;
  end if;
  for allowed in
    select service, amount from platform.limits
    where tenant = new.tenant and kind = 'bytes' and service in (new.service, '*') order by service
  loop
    select sum(bytes) into counted from platform.blob_bytes
    where tenant = new.tenant and (allowed.service = '*' or service = allowed.service);
    if counted > allowed.amount then
      raise exception using errcode = 'IC001', message = format(
        'The limit of %s bytes%s is reached: delete something, or ask the operator for more.', allowed.amount,
        case when allowed.service = '*' then '' else ' of ' || allowed.service end);
    end if;
  end loop;
  return null;
end $$;
create trigger blobs_within_limits after insert or update or delete on blobs
  for each row execute function count_blob();
