-- A store whose values are encrypted by a data key of its own, which a key of a module wraps.
alter table stores
  -- The key that the tenant chose; null if values are to lie as they are.
  add column key_identifier text,
  -- The data key is there as long as a value may be encrypted with it: also while a key is being taken away.
  add column data_key uuid,
  add column wrapped_by text,
  add column wrapped_data_key bytea,
  -- Whether there may be values that are not yet as key_identifier says.
  add column reencrypting boolean not null default false,
  add check ((data_key is null) = (wrapped_data_key is null) and (data_key is null) = (wrapped_by is null)),
  add check (key_identifier is null or data_key is not null);
-- The value and the content type, encrypted; both columns are null then.
alter table revisions add column content bytea;
alter table snapshot_items add column content bytea;
