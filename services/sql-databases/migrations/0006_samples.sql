-- The sample with which a database began.
alter table databases add column sample text;
