-- For the rows from before the trigger.
insert into icosa.names (purpose, name, tenant) select 'login', username, tenant from logins on conflict do nothing;
