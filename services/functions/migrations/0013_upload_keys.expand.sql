-- Data key that encrypts an upload, wrapped by the key that its URL was requested with.
alter table uploads add column data_key jsonb;
