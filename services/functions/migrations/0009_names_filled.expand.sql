-- For the rows from before the trigger.
insert into icosa.names (purpose, name, tenant) select 'function', address, tenant from functions on conflict do nothing;
