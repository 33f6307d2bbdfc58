-- The log of the SQL host, from one moment on and without a gap. It is of the whole server and belongs to the platform: no tenant
-- has a row here. A new one begins when the host is another one, or has thrown away what was not read in time.
create table archives (
  epoch integer generated always as identity primary key,
  system text not null,           -- the SQL host
  timeline integer not null,
  segment_bytes integer not null, -- how long a file of its log is
  started_at timestamptz not null,
  covered_until timestamptz,      -- by the clock of the SQL host: all that was committed until then is in the pieces
  ended boolean not null default false
);
create unique index archives_live on archives ((true)) where not ended;

-- Copies of the whole server, from which the log is replayed.
create table archive_bases (
  epoch integer not null references archives on delete cascade,
  id uuid not null,
  start_lsn bigint not null,
  usable_from timestamptz not null, -- by the clock of the SQL host: from then on a copy is one of one moment
  superuser text not null,
  major integer not null,
  bytes bigint not null,
  created_at timestamptz not null,
  primary key (epoch, id)
);

-- Which part of the log lies in which blob. Pieces of a file of the log are put together once it is full.
create table archive_pieces (
  epoch integer not null references archives on delete cascade,
  start_lsn bigint not null,
  end_lsn bigint not null,
  sent_at timestamptz not null,     -- by the clock of the SQL host: what was committed before has begun before its end
  id uuid not null,
  primary key (epoch, start_lsn, end_lsn)
);

-- Which databases the archive is kept for, and how far back.
create table kept_databases (
  tenant text not null,
  id uuid not null,               -- of the recovery point
  physical text not null,
  keep_days integer not null,
  since timestamptz,              -- by the clock of the SQL host; null until it is in the archive
  created_at timestamptz not null,
  primary key (tenant, id)
);
