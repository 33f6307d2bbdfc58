-- The collation that a database has on the SQL host; null until it was read there.
alter table databases add column host_collation text;
