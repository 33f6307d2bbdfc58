-- Postings and payments lie in partitions by their ids, which grow with time, and payments share the labels that they show.
-- See docs/adr/0070.

-- A label as it was shown once. Two of the same id are the same label: whoever adds one does not wait for others who do.
create table labels (
  tenant text not null,
  id uuid not null,
  label jsonb not null
);
create index labels_by_id on labels (tenant, id);

create function label_id(label jsonb) returns uuid language sql immutable strict parallel safe as
  $$ select encode(substring(sha256(convert_to(label::text, 'UTF8')) for 16), 'hex')::uuid $$;

alter table payments rename to payments_before;
alter table payments_before rename constraint payments_pkey to payments_before_pkey;
drop index payments_by_transaction, payments_by_time;
create table payments (
  tenant text not null,
  id bigint generated always as identity,
  account_id bigint not null,
  transaction_id bigint not null,
  amount bigint not null,
  currency text not null,
  description text not null,
  type text not null,
  sub_type text not null,
  -- The labels of both sides as they were then.
  alias_id uuid not null,
  counterparty_id uuid not null,
  -- What else was said, and what it came from: batch_id, scheduled_id.
  details jsonb not null,
  created_at timestamptz not null,
  primary key (tenant, account_id, id),
  foreign key (tenant, account_id) references monetary_accounts (tenant, id)
) partition by range (id);
create index payments_by_transaction on payments (tenant, transaction_id);
create index payments_by_time on payments (tenant, account_id, created_at);

alter table ledger_postings rename to ledger_postings_before;
alter table ledger_postings_before rename constraint ledger_postings_pkey to ledger_postings_before_pkey;
create table ledger_postings (
  tenant text not null,
  account_id bigint not null,
  transaction_id bigint not null,
  currency text not null,
  amount bigint not null check (amount <> 0),
  -- As its transaction saw it: payers at the same moment do not see each other.
  balance_after bigint not null,
  primary key (tenant, account_id, transaction_id),
  foreign key (tenant, account_id, currency) references ledger_accounts (tenant, id, currency)
) partition by range (transaction_id);

-- The first partitions: all that there is, up to the next full size. A job adds the others.
do $$
declare
  v_postings bigint := 25000000 * (1 + (select coalesce(max(transaction_id), 0) from ledger_postings_before) / 25000000);
  v_payments bigint := 50000000 * (1 + (select coalesce(max(id), 0) from payments_before) / 50000000);
begin
  execute format('create table ledger_postings_0 partition of ledger_postings for values from (minvalue) to (%s)', v_postings);
  execute format('create table payments_0 partition of payments for values from (minvalue) to (%s)', v_payments);
end $$;

insert into labels
  select distinct p.tenant, label_id(side.label), side.label
  from payments_before p cross join lateral (values (p.alias), (p.counterparty)) as side (label);
insert into payments (tenant, id, account_id, transaction_id, amount, currency, description, type, sub_type, alias_id,
    counterparty_id, details, created_at)
  overriding system value
  select tenant, id, account_id, transaction_id, amount, currency, description, type, sub_type, label_id(alias),
    label_id(counterparty), details, created_at from payments_before;
select setval(pg_get_serial_sequence('payments', 'id'), max(id)) from payments having max(id) is not null;
insert into ledger_postings select * from ledger_postings_before;
drop table payments_before, ledger_postings_before;

create trigger balanced after insert on ledger_postings
  referencing new table as added for each statement execute function refuse_unbalanced();
create trigger unchanged before update on ledger_postings for each statement execute function refuse_change();
create constraint trigger kept after delete on ledger_postings
  deferrable initially deferred for each row execute function refuse_removal();

-- What the postings of an account below `until` sum to, counted from the closing before: written once, when their
-- partition is full and takes no more.
create table ledger_closings (
  tenant text not null,
  account_id bigint not null,
  until bigint not null,
  amount numeric not null,
  primary key (tenant, until, account_id)
);
