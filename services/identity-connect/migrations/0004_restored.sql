-- The restore that made it: one that is tried again finds what it has made already.
alter table clients add column restored_by uuid;

insert into icosa.resources (tenant, key, id, service, type, name, created_at, updated_at)
select tenant, lower('/identity-connect/clients/' || id), '/identity-connect/clients/' || id, 'identity-connect',
  'identity-connect/clients', coalesce(metadata ->> 'client_name', id), created_at, created_at
from clients;
