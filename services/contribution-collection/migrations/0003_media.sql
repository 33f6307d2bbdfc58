-- A file that somebody sent. The same bytes of the same tenant lie once in the blobs: files with one hash share `blob`.
create table media (
  tenant text not null,
  id bigint generated always as identity,
  owner text not null,
  -- image, video or audio; as its content says.
  type text not null,
  content_type text not null,
  size bigint not null,
  sha256 bytea not null,
  blob text not null,
  width integer,
  height integer,
  duration double precision,
  -- What the file says of itself: the place and more, for its owner only.
  place jsonb,
  metadata jsonb not null default '{}',
  -- Copies for everybody: [{ label, contentType, size, width, height, blob }].
  variants jsonb not null default '[]',
  -- processing, ready or failed
  status text not null,
  step text,
  progress double precision,
  error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant, id)
);
create index media_by_content on media (tenant, sha256);
create index media_by_owner on media (tenant, owner, id);

-- Which file stands in which contribution, in their order.
create table media_usages (
  tenant text not null,
  contribution bigint not null,
  position integer not null,
  id bigint generated always as identity,
  media bigint not null,
  primary key (tenant, contribution, position),
  foreign key (tenant, contribution) references contributions (tenant, id) on delete cascade,
  foreign key (tenant, media) references media (tenant, id)
);
create index media_usages_by_media on media_usages (tenant, media);

create table exports (
  tenant text not null,
  id bigint generated always as identity,
  owner text not null,
  -- The filter and the format, as they were asked for.
  request jsonb not null,
  status text not null,
  step text,
  progress double precision not null default 0,
  -- Where a worker that takes over goes on.
  checkpoint jsonb,
  contributions bigint,
  media bigint,
  size bigint,
  blob text,
  error text,
  started_at timestamptz not null,
  finished_at timestamptz,
  expires_at timestamptz,
  primary key (tenant, id)
);

create index exports_by_age on exports (started_at);

-- What an export holds: a contribution that is deleted takes those with it that have a copy of it.
create table export_items (
  tenant text not null,
  export bigint not null,
  contribution bigint not null,
  primary key (tenant, export, contribution),
  foreign key (tenant, export) references exports (tenant, id) on delete cascade
);
create index export_items_by_contribution on export_items (tenant, contribution);
