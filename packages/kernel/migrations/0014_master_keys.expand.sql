-- Master keys that a token keeps: random ones, each encrypted by the key of a token that it is named after. What opens
-- data keys is nowhere else.
create table master_keys (
  name text primary key,
  wrapped bytea not null,
  made_at timestamptz not null default clock_timestamp()
);
