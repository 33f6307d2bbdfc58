-- Moves of tenants between cells, each in a named state from which it can be resumed.
create table moves (
  id text primary key default left(md5(gen_random_uuid()::text), 12), -- in names of slots
  tenant text not null,
  source text not null references cells (name),
  target text not null references cells (name),
  state text not null check (state in ('checking', 'copying', 'following', 'fenced', 'switched', 'reversible',
    'finishing', 'finished', 'returning', 'returned', 'cancelling', 'cancelled', 'failed')),
  detail text not null default '', -- why it ended, or how it went
  is_equal boolean, -- whether all tables and blobs were equal after the switch; null if they were not compared
  started_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp()
);
create unique index moves_open on moves (tenant)
  where state not in ('finished', 'returned', 'cancelled', 'failed');
create index moves_by_source on moves (source);
create index moves_by_target on moves (target);
