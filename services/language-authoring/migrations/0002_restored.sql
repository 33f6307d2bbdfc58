-- The restore that made it: one that is tried again finds what it has made already.
alter table apps add column restored_by uuid;

insert into icosa.resources (tenant, key, id, service, type, name, created_at, updated_at)
select tenant, '/language-authoring/apps/' || id, '/language-authoring/apps/' || id, 'language-authoring',
  'language-authoring/apps', name, created_at, created_at
from apps;
