insert into icosa.resources (tenant, key, id, service, type, name, created_at, updated_at)
select tenant, lower(format('/%s/%s', type, id)), format('/%s/%s', type, id), 'face-recognition', type, name, created_at, created_at
from (select *, format('face-recognition/%s%ss', lower(left(kind, 1)), substr(kind, 2)) as type from collections) as own;
