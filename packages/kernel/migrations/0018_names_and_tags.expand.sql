-- Names that are unique across tenants, each for a purpose. Triggers reserve them for the tables that have them.
create table names (
  purpose text not null,
  name text not null,
  tenant text not null,
  primary key (purpose, name)
);
create index names_by_tenant on names (tenant);

-- Trigger with the purpose and the columns of the name and the tenant: reserves the names of a table's rows, and releases
-- them.
create function reserve_name() returns trigger language plpgsql as $$
declare
  name_column constant text := tg_argv[1];
  tenant_column constant text := coalesce(tg_argv[2], 'tenant');
  name_before constant text := to_jsonb(old) ->> name_column;
  name_after constant text := to_jsonb(new) ->> name_column;
  tenant_after constant text := to_jsonb(new) ->> tenant_column;
begin
  if tg_op = 'TRUNCATE' then
    delete from icosa.names where purpose = tg_argv[0];
    return null;
  end if;
  if name_before is distinct from name_after or to_jsonb(old) ->> tenant_column is distinct from tenant_after then
    delete from icosa.names
    where purpose = tg_argv[0] and name = name_before and tenant = to_jsonb(old) ->> tenant_column;
  end if;
  if name_after is not null then
    insert into icosa.names as reserved (purpose, name, tenant) values (tg_argv[0], name_after, tenant_after)
    on conflict (purpose, name) do update set tenant = excluded.tenant where reserved.tenant = excluded.tenant;
    if not found then
      raise unique_violation using message = format('the %s %s is reserved for another tenant', tg_argv[0], name_after);
    end if;
  end if;
  return null;
end $$;

-- A tenant's tag: twelve letters and digits, 60 random bits, which stand for it in credentials and addresses.
create function new_tag() returns text language sql volatile as $$
  select string_agg(substr('abcdefghijkmnpqrstuvwxyz23456789', (get_byte(random, byte) & 31) + 1, 1), '')
  from (select sha256(uuid_send(gen_random_uuid())) as random) as source, generate_series(0, 11) as byte
$$;
alter table tenants add column tag text;
alter table tenants alter column tag set default icosa.new_tag();
alter table tenants add constraint tenants_tagged check (tag is not null) not valid;
create trigger names after insert or delete or update of tag on tenants
  for each row execute function icosa.reserve_name('tag', 'tag', 'id');
create trigger names_truncated after truncate on tenants for each statement execute function icosa.reserve_name('tag');

create trigger names after insert or delete or update of tenant on subscriptions
  for each row execute function icosa.reserve_name('subscription', 'key');
create trigger names_truncated after truncate on subscriptions for each statement execute function icosa.reserve_name('subscription');

-- A timer's tenant, which is that of its job: also for those of older nodes.
alter table timers add column tenant text;
create function timer_tenant() returns trigger language plpgsql as $$
begin
  new.tenant := new.payload ->> 'tenant';
  return new;
end $$;
create trigger tenant before insert on timers for each row execute function icosa.timer_tenant();
