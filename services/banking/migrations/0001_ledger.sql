-- The ledger: accounts, transactions of postings, balances, holds. It knows amounts in the smallest unit of a currency and
-- nothing of banks. See docs/adr/0038.

create table ledger_accounts (
  tenant text not null,
  id bigint generated always as identity,
  currency text not null,
  -- How far below zero it may go. Null for the bank's own accounts, where the money comes from.
  overdraft bigint check (overdraft >= 0),
  created_at timestamptz not null,
  primary key (tenant, id),
  unique (tenant, id, currency)
);

-- The balance of an account is the sum of its slots. Whoever takes money out locks slot 0; whoever puts money in takes any
-- slot that nobody has locked, and adds one if there is none. So an account has as many slots as it once had payers at the
-- same moment, and they never wait for each other.
create table ledger_balances (
  tenant text not null,
  account_id bigint not null,
  slot integer not null,
  amount bigint not null,
  -- Reserved by holds; in slot 0 only.
  held bigint not null default 0 check (held >= 0 and (slot = 0 or held = 0)),
  -- What leaves an account leaves it through slot 0.
  check (slot = 0 or amount >= 0),
  primary key (tenant, account_id, slot),
  foreign key (tenant, account_id) references ledger_accounts (tenant, id)
) with (fillfactor = 50);

create table ledger_transactions (
  tenant text not null,
  id bigint generated always as identity,
  -- Who asks again with the same id and the same parameters gets the same transaction.
  request_id text,
  fingerprint bytea,
  created_at timestamptz not null,
  primary key (tenant, id),
  check ((request_id is null) = (fingerprint is null))
);
create unique index ledger_transactions_request on ledger_transactions (tenant, request_id) where request_id is not null;

-- An account appears once in a transaction, so this key is also the order of its statement.
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
);

create table ledger_holds (
  tenant text not null,
  id bigint generated always as identity,
  account_id bigint not null,
  amount bigint not null check (amount > 0),
  created_at timestamptz not null,
  released_at timestamptz,
  primary key (tenant, id),
  foreign key (tenant, account_id) references ledger_accounts (tenant, id)
);

-- Checked at the end of each statement, so all postings of a transaction come in one.
create function refuse_unbalanced() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from added group by tenant, transaction_id, currency having sum(amount) <> 0
  ) then
    raise exception 'the postings of a transaction must sum to zero in every currency' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger balanced after insert on ledger_postings
  referencing new table as added for each statement execute function refuse_unbalanced();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'what is in the ledger stays as it is: correct it by a transaction' using errcode = 'insufficient_privilege';
end $$;
create trigger unchanged before update on ledger_postings for each statement execute function refuse_change();
create trigger unchanged before update on ledger_transactions for each statement execute function refuse_change();

-- Rows go only with the whole ledger of their tenant, in the same transaction: by `icosa reset`, for instance.
create function refuse_removal() returns trigger language plpgsql as $$
begin
  if exists (select 1 from banking.ledger_accounts where tenant = old.tenant) then
    raise exception 'nothing leaves the ledger: correct it by a transaction' using errcode = 'insufficient_privilege';
  end if;
  return null;
end $$;
create constraint trigger kept after delete on ledger_postings
  deferrable initially deferred for each row execute function refuse_removal();
create constraint trigger kept after delete on ledger_transactions
  deferrable initially deferred for each row execute function refuse_removal();

-- Posts a transaction. Nothing is written unless the outcome is `posted`. Accounts from which money is taken are locked in
-- their order; whoever puts money in never waits, so that no two transactions wait for each other.
create function post_transaction(
  p_tenant text, p_request text, p_fingerprint bytea, p_at timestamptz, p_accounts bigint[], p_amounts bigint[],
  out outcome text, out transaction_id bigint, out refused_account bigint
) language plpgsql as $$
declare
  v_account bigint;
  v_amount bigint;
  v_balance bigint;
  v_held bigint;
  v_overdraft bigint;
  v_currency text;
  v_known bytea;
  v_accounts bigint[] := '{}';
  v_amounts bigint[] := '{}';
  v_after bigint[] := '{}';
  v_currencies text[] := '{}';
begin
  for v_account, v_amount in
    select account, sum(amount) from unnest(p_accounts, p_amounts) as given (account, amount)
    group by account having sum(amount) < 0 order by account
  loop
    perform from banking.ledger_balances b
      where b.tenant = p_tenant and b.account_id = v_account and b.slot = 0 for update;
    -- A statement of its own, so that it sees what was committed while this one waited.
    select sum(b.amount), sum(b.held), min(a.overdraft), min(a.currency) into v_balance, v_held, v_overdraft, v_currency
      from banking.ledger_accounts a join banking.ledger_balances b on b.tenant = a.tenant and b.account_id = a.id
      where a.tenant = p_tenant and a.id = v_account;
    if v_balance is null then
      outcome := 'unknown'; refused_account := v_account; return;
    end if;
    v_balance := v_balance + v_amount;
    -- Somebody who has paid already and asks again needs no money for it.
    if v_balance - v_held < -v_overdraft and outcome is null then
      outcome := 'insufficient'; refused_account := v_account;
    end if;
    v_accounts := v_accounts || v_account;
    v_amounts := v_amounts || v_amount;
    v_after := v_after || v_balance;
    v_currencies := v_currencies || v_currency;
  end loop;

  if p_request is not null then
    select t.id, t.fingerprint into transaction_id, v_known from banking.ledger_transactions t
      where t.tenant = p_tenant and t.request_id = p_request;
    if found then
      outcome := case when v_known = p_fingerprint then 'repeated' else 'differs' end; refused_account := null; return;
    end if;
  end if;
  if outcome is not null then return; end if;

  insert into banking.ledger_transactions (tenant, request_id, fingerprint, created_at)
    values (p_tenant, p_request, p_fingerprint, p_at)
    on conflict (tenant, request_id) where request_id is not null do nothing returning id into transaction_id;
  if transaction_id is null then
    select t.id, t.fingerprint into transaction_id, v_known from banking.ledger_transactions t
      where t.tenant = p_tenant and t.request_id = p_request;
    outcome := case when v_known = p_fingerprint then 'repeated' else 'differs' end; return;
  end if;

  for i in 1 .. cardinality(v_accounts) loop
    update banking.ledger_balances b set amount = b.amount + v_amounts[i]
      where b.tenant = p_tenant and b.account_id = v_accounts[i] and b.slot = 0;
  end loop;

  for v_account, v_amount in
    select account, sum(amount) from unnest(p_accounts, p_amounts) as given (account, amount)
    group by account having sum(amount) > 0
  loop
    select a.currency into v_currency from banking.ledger_accounts a where a.tenant = p_tenant and a.id = v_account;
    if not found then
      raise exception 'there is no account % to put money into', v_account using errcode = 'foreign_key_violation';
    end if;
    update banking.ledger_balances b set amount = b.amount + v_amount
      where b.tenant = p_tenant and b.account_id = v_account and b.slot = (
        select free.slot from banking.ledger_balances free
        where free.tenant = p_tenant and free.account_id = v_account
        order by free.slot limit 1 for update skip locked);
    if not found then
      -- Of its own: two connections that add one at the same time hardly ever wait for each other.
      insert into banking.ledger_balances as b (tenant, account_id, slot, amount)
        values (p_tenant, v_account, 1 + pg_backend_pid() % 256, v_amount)
        on conflict (tenant, account_id, slot) do update set amount = b.amount + excluded.amount;
    end if;
    select sum(b.amount) into v_balance from banking.ledger_balances b
      where b.tenant = p_tenant and b.account_id = v_account;
    v_accounts := v_accounts || v_account;
    v_amounts := v_amounts || v_amount;
    v_after := v_after || v_balance;
    v_currencies := v_currencies || v_currency;
  end loop;

  insert into banking.ledger_postings (tenant, account_id, transaction_id, currency, amount, balance_after)
    select p_tenant, account, transaction_id, currency, amount, after
    from unnest(v_accounts, v_amounts, v_after, v_currencies) as line (account, amount, after, currency);
  outcome := 'posted';
end $$;
