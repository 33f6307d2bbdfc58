-- Posts transactions of several requests together, with one statement for each table instead of one for each transaction. Outcomes
-- are those of `post_transaction`, in the order of `p_requests`; `p_nths` says to which transaction an amount belongs.
-- All debited accounts are locked first, in their order, so that batches never wait for each other in a circle.
create function post_transactions(
  p_tenant text, p_requests text[], p_fingerprints bytea[], p_at timestamptz[], p_nths integer[], p_accounts bigint[],
  p_amounts bigint[]
) returns table (nth integer, outcome text, transaction_id bigint, refused_account bigint) language plpgsql as $$
#variable_conflict use_column
declare
  v_count integer := cardinality(p_requests);
  v_debited bigint[];
  v_ids bigint[];
  v_nth integer;
  v_posted record;
begin
  select array_agg(distinct given.account) into v_debited
    from unnest(p_accounts, p_amounts) as given (account, amount) where given.amount < 0;
  perform from banking.ledger_balances b
    where b.tenant = p_tenant and b.account_id = any (v_debited) and b.slot = 0 order by b.account_id for update;

  -- Together only if all will be posted, whatever their order: enough money without what the batch itself brings, no request
  -- id that is known or occurs twice, and no account twice in a transaction.
  if exists (
      select from (
        select given.account, sum(least(given.amount, 0)) as debit
        from unnest(p_accounts, p_amounts) as given (account, amount) group by given.account) as total
      left join banking.ledger_accounts a on a.tenant = p_tenant and a.id = total.account
      left join lateral (
        select sum(b.amount) - sum(b.held) as free from banking.ledger_balances b
        where total.debit < 0 and b.tenant = p_tenant and b.account_id = total.account) as balance on true
      where a.id is null or (total.debit < 0 and balance.free + total.debit < -a.overdraft))
    or exists (
      select from unnest(p_nths, p_accounts) as given (nth, account) group by given.nth, given.account having count(*) > 1)
    or exists (
      select from unnest(p_requests) as given (request) where given.request is not null
      group by given.request having count(*) > 1)
    or exists (
      select from banking.ledger_transactions t where t.tenant = p_tenant and t.request_id = any (p_requests))
  then
    for v_nth in 1 .. v_count loop
      select * into v_posted from banking.post_transaction(p_tenant, p_requests[v_nth], p_fingerprints[v_nth], p_at[v_nth],
        array(select given.account from unnest(p_nths, p_accounts) as given (nth, account) where given.nth = v_nth),
        array(select given.amount from unnest(p_nths, p_amounts) as given (nth, amount) where given.nth = v_nth));
      nth := v_nth;
      outcome := v_posted.outcome;
      transaction_id := v_posted.transaction_id;
      refused_account := v_posted.refused_account;
      return next;
    end loop;
    return;
  end if;

  select array_agg(nextval(pg_get_serial_sequence('banking.ledger_transactions', 'id'))) into v_ids
    from generate_series(1, v_count);
  insert into banking.ledger_transactions (tenant, id, request_id, fingerprint, created_at)
    overriding system value
    select p_tenant, given.id, given.request, given.fingerprint, given.at
    from unnest(v_ids, p_requests, p_fingerprints, p_at) as given (id, request, fingerprint, at);

  update banking.ledger_balances b set amount = b.amount + total.amount
    from (
      select given.account, sum(given.amount) as amount from unnest(p_accounts, p_amounts) as given (account, amount)
      where given.account = any (v_debited) group by given.account) as total
    where b.tenant = p_tenant and b.account_id = total.account and b.slot = 0;

  -- Accounts that only get money: into a slot that nobody has locked, or a new one.
  with total as (
    select given.account, sum(given.amount) as amount from unnest(p_accounts, p_amounts) as given (account, amount)
    where not given.account = any (v_debited) group by given.account),
  free as materialized (
    select total.account, total.amount, slot.slot from total left join lateral (
      select b.slot from banking.ledger_balances b where b.tenant = p_tenant and b.account_id = total.account
      order by b.slot limit 1 for update skip locked) as slot on true),
  credited as (
    update banking.ledger_balances b set amount = b.amount + free.amount from free
    where b.tenant = p_tenant and b.account_id = free.account and b.slot = free.slot)
  insert into banking.ledger_balances as b (tenant, account_id, slot, amount)
    select p_tenant, free.account, 1 + pg_backend_pid() % 256, free.amount from free where free.slot is null
    on conflict (tenant, account_id, slot) do update set amount = b.amount + excluded.amount;

  insert into banking.ledger_postings (tenant, account_id, transaction_id, currency, amount, balance_after)
    select p_tenant, given.account, v_ids[given.nth], a.currency, given.amount,
      balance.amount - sum(given.amount) over of_account + sum(given.amount) over until
    from unnest(p_nths, p_accounts, p_amounts) as given (nth, account, amount)
    join banking.ledger_accounts a on a.tenant = p_tenant and a.id = given.account
    join (
      select b.account_id, sum(b.amount) as amount from banking.ledger_balances b
      where b.tenant = p_tenant and b.account_id = any (p_accounts) group by b.account_id) as balance
      on balance.account_id = given.account
    window of_account as (partition by given.account),
      until as (partition by given.account order by given.nth);

  return query select given.nth::integer, 'posted', given.id, null::bigint
    from unnest(v_ids) with ordinality as given (id, nth);
end $$;
