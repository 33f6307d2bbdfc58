-- The restore that made it: one that is tried again finds what it has made already.
alter table playlists add column restored_by uuid;

insert into icosa.resources (tenant, key, id, service, type, name, created_at, updated_at)
select tenant, lower('/podcast-directory/playlists/' || id), '/podcast-directory/playlists/' || id, 'podcast-directory',
  'podcast-directory/playlists', name, added_at, added_at
from playlists;
