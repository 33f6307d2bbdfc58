-- Nodes of the cell and their last heartbeat. A node that stops removes its row; that of a killed one goes with age.
create table nodes (
  id uuid primary key,
  host text not null,
  process integer not null,
  version text not null,
  is_api boolean not null,
  is_worker boolean not null,
  services text[] not null,
  clock_skew_ms double precision not null,
  started_at timestamptz not null,
  seen_at timestamptz not null
);
create index nodes_by_age on nodes (seen_at);
