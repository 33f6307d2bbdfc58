-- Messages wait tenant by tenant, so that no tenant's wait for another's. Those that wait already are sorted: a row held
-- messages of many tenants. Their new numbers follow the old ones: the journal knows messages by them.
alter table mailbox add column tenant text;
insert into mailbox (tenant, partition, messages, body)
  select model.tenant, partition, count(*), string_agg(record, E'\x1e' order by nth)
  from mailbox cross join lateral string_to_table(body, E'\x1e') with ordinality as entry(record, nth)
  join models as model on model.id = split_part(record, E'\x1f', 1)::bigint
  group by mailbox.id, partition, model.tenant order by mailbox.id;
delete from mailbox where tenant is null;
alter table mailbox alter column tenant set not null;
alter table mailbox drop constraint mailbox_pkey;
alter table mailbox add primary key (tenant, partition, id);

-- Evaluations that were asked for and have not begun, each for a tenant; lane -1 stands for all of its lanes.
drop table lanes;
create table asked (
  tenant text not null,
  lane smallint not null,
  at timestamptz not null default now(),
  primary key (tenant, lane)
);

-- Whose timers run out when.
drop index instances_due;
create index instances_due on instances (tenant, due_at, partition) where due_at is not null;

-- Evaluations are the tenants' own from now on; what looks for them is another job.
delete from icosa.schedules where name = 'event-detection:evaluate';
