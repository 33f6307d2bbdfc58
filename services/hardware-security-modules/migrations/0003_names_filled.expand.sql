-- For the rows from before the trigger.
insert into icosa.names (purpose, name, tenant) select 'module', id, tenant from modules on conflict do nothing;
