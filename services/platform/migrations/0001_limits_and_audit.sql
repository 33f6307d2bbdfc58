-- What an operator allows a tenant: how many resources of a service, how many requests a second to it on one node.
-- '*' stands for all services together.
create table limits (
  tenant text not null,
  service text not null,
  kind text not null check (kind in ('resources', 'requests')),
  amount bigint not null check (amount >= 0),
  primary key (tenant, service, kind)
);

-- Counted where the resource is registered, in the transaction of whoever makes it. Only those wait for each other who
-- have a limit, and no more rows are looked at than it allows.
create function refuse_beyond_limit() returns trigger language plpgsql as $$
declare
  allowed record;
  counted bigint;
begin
  for allowed in
    select service, amount from platform.limits
    where tenant = new.tenant and kind = 'resources' and service in (new.service, '*') order by service
  loop
    perform pg_advisory_xact_lock(hashtextextended('icosa limit ' || new.tenant || ' ' || allowed.service, 0));
    if exists (select from icosa.resources where tenant = new.tenant and key = new.key) then
      return new;
    end if;
    select count(*) into counted from (
      select from icosa.resources
      where tenant = new.tenant and (allowed.service = '*' or service = allowed.service) limit allowed.amount) as registered;
    if counted >= allowed.amount then
      raise exception using errcode = 'IC001', message = format(
        'The limit of %s resources%s is reached: delete some, or ask the operator for more.', allowed.amount,
        case when allowed.service = '*' then '' else ' of ' || allowed.service end);
    end if;
  end loop;
  return new;
end $$;
create trigger resources_within_limits before insert on icosa.resources
  for each row execute function refuse_beyond_limit();

-- What was done for a tenant and what was refused, by whom and from where. Each row holds the hash of the one before it, under
-- a key that is not in the database: whoever can only write here cannot change, remove or reorder rows unnoticed.
create table audit (
  tenant text not null,
  number bigint not null,
  at timestamptz not null,
  caller text not null,
  address text not null,
  service text not null,
  operation text not null,
  resource text not null,
  status integer not null,
  request_id text not null,
  -- When the row before was written: of the oldest that is left it tells whether age alone took the others.
  previous_at timestamptz,
  previous bytea,
  hash bytea not null,
  primary key (tenant, number)
);
create index audit_by_age on audit (at);

-- Where the chain of each tenant ends. Whoever adds to it holds its row.
create table audit_heads (
  tenant text primary key,
  number bigint not null,
  at timestamptz not null,
  hash bytea not null
);
