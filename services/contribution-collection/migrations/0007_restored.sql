-- The restore that made it: one that is tried again finds what it has made already.
alter table assignments add column restored_by uuid;
