-- For the rows from before the triggers.
update tenants set tag = default where tag is null;
insert into names (purpose, name, tenant) select 'subscription', key, tenant from subscriptions on conflict do nothing;
update timers set tenant = payload ->> 'tenant' where tenant is null;
