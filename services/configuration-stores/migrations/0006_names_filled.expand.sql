-- For the rows from before the trigger.
insert into icosa.names (purpose, name, tenant) select 'store', name_key, tenant from stores on conflict do nothing;
