-- A directory belongs to a tenant. Ids are 32 hexadecimal digits.
create table podcasts (
  tenant text not null,
  id text not null,
  -- Only 'listed' ones are shown. A deleted one leaves its title and the reason, for lists that name it.
  status text not null check (status in ('in review', 'listed', 'rejected', 'deleted')),
  -- Why it was rejected or deleted.
  reason text not null default '',
  rss text not null,
  title text not null default '',
  publisher text not null default '',
  description text not null default '',
  image text not null default '',
  -- Set once a thumbnail of the image lies in the blobs: it changes whenever the image does.
  thumbnail text,
  -- The API's own words: 'English', 'us'; empty where unknown.
  language text not null default '',
  region text not null default '',
  genre_ids integer[] not null default '{}',
  explicit_content boolean not null default false,
  website text not null default '',
  -- The website's host without 'www.', for lookups by domain.
  domain text not null default '',
  email text not null default '',
  type text not null default 'episodic' check (type in ('episodic', 'serial')),
  storeone_id bigint,
  storetwo_id text,
  -- The feed's own id in the podcast namespace, which outlives its address.
  podcast_guid text,
  has_guest_interviews boolean not null default false,
  has_sponsors boolean not null default false,
  is_claimed boolean not null default false,
  looking_for jsonb not null default '{"cohosts": false, "cross_promotion": false, "sponsors": false, "guests": false}',
  extra jsonb not null default '{}',
  -- Worked out of the episodes whenever they change.
  total_episodes integer not null default 0,
  audio_length_sec integer not null default 0,
  update_frequency_hours integer not null default 0,
  latest_episode_id text,
  latest_pub_date_ms bigint not null default 0,
  earliest_pub_date_ms bigint not null default 0,
  listen_score integer,
  listen_score_global_rank text,
  added_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant, id)
);
-- An address can be longer than an index takes. A feed that comes back after its deletion is another podcast.
create unique index podcasts_by_rss on podcasts (tenant, md5(rss)) where status <> 'deleted';
create index podcasts_by_storeone on podcasts (tenant, storeone_id) where storeone_id is not null;
create index podcasts_by_storetwo on podcasts (tenant, storetwo_id) where storetwo_id is not null;
create index podcasts_by_domain on podcasts (tenant, domain, id) where status = 'listed' and domain <> '';
create index podcasts_by_age on podcasts (tenant, added_at, id) where status = 'listed';

-- What the crawler is to fetch: feeds again and again, artwork and transcripts until they are there. Apart from what it
-- finds: a visit that brings nothing new leaves the podcast's row alone.
create table crawls (
  tenant text not null,
  kind text not null check (kind in ('feed', 'artwork', 'transcript')),
  -- Of the podcast, or of the transcript's episode.
  id text not null,
  -- Where the next request goes: the thing's own address, or where a redirect led.
  url text not null,
  -- Host and port of the url: one request at a time goes there.
  host text not null,
  hops integer not null default 0,
  -- What becomes the feed's address if the redirects that are being followed lead to a feed: all were permanent.
  moving_to text,
  etag text,
  last_modified text,
  -- Of the bytes last read: a server without validators may send the same again.
  digest text,
  visited_at timestamptz,
  -- Null: not before somebody asks.
  due_at timestamptz,
  failures integer not null default 0,
  error text,
  primary key (tenant, kind, id)
) with (fillfactor = 70);
create index crawls_due on crawls (due_at) where due_at is not null;
create index crawls_by_host on crawls (host, due_at) where due_at is not null;

-- Hosts that a job has for itself, across all workers, or that asked to be left alone for a while.
create table hosts (
  host text primary key,
  claim uuid not null,
  until timestamptz not null
);

create table episodes (
  tenant text not null,
  id text not null,
  podcast_id text not null,
  -- The feed's name of the episode; where it has none, the address of the audio.
  guid text not null,
  title text not null,
  -- HTML as the feed has it, capped.
  description text not null,
  audio text not null,
  audio_length_sec integer not null,
  pub_date_ms bigint not null,
  explicit_content boolean not null,
  link text not null,
  -- Empty: the podcast's.
  image text not null default '',
  transcript_url text,
  transcript text,
  maybe_audio_invalid boolean not null default false,
  -- Of what the feed says: only an episode that differs is written again.
  digest text not null,
  added_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant, id)
);
create index episodes_by_date on episodes (tenant, podcast_id, pub_date_ms, id);
create unique index episodes_by_guid on episodes (tenant, podcast_id, md5(guid));

-- What the search index follows: a row for everything that was written or deleted, in the same transaction. Writers take
-- turns from the number to the commit, so numbers appear in their order. A podcast's deletion stands for that of its
-- episodes.
create table changes (
  number bigint generated always as identity primary key,
  tenant text not null,
  kind text not null check (kind in ('podcast', 'episode')),
  id text not null,
  podcast_id text not null,
  deleted boolean not null default false,
  -- Of a podcast: what its episodes show of it (title, publisher, genres, language ...) is another.
  inherited boolean not null default false
);

-- Requests of a tenant in a month, counted by nodes and added up now and then.
create table usage (
  tenant text not null,
  month date not null,
  requests bigint not null,
  primary key (tenant, month)
);
