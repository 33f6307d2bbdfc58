-- What was searched for, by the hour; older than two days by the day.
create table searches (
  tenant text not null,
  since timestamptz not null,
  term text collate "C" not null,
  searches integer not null,
  primary key (tenant, since, term)
);
create index searches_by_age on searches (since);

-- Who looked at podcasts and their episodes, from where; a region is two letters, or none.
create table visits (
  tenant text not null,
  day date not null,
  podcast_id text not null,
  region text not null,
  visits integer not null,
  primary key (tenant, podcast_id, day, region)
);
create index visits_by_age on visits (day);

-- Podcasts that the same listener looked at soon one after the other; each pair stands there in both orders.
create table together (
  tenant text not null,
  podcast_id text not null,
  other_id text not null,
  visits integer not null,
  primary key (tenant, podcast_id, other_id)
);

create table curated_lists (
  tenant text not null,
  id text not null,
  -- 'operator', or what the list was made by, such as 'genre:127'.
  origin text not null,
  title text not null,
  description text not null,
  source_url text not null,
  source_domain text not null,
  pub_date_ms bigint not null,
  podcast_ids text[] not null,
  primary key (tenant, id)
);
create index curated_lists_by_date on curated_lists (tenant, pub_date_ms desc, id);

create table playlists (
  tenant text not null,
  id text not null,
  name text not null,
  description text not null,
  image text not null,
  visibility text not null check (visibility in ('public', 'unlisted', 'private')),
  added_at timestamptz not null,
  primary key (tenant, id)
);
create index playlists_by_age on playlists (tenant, added_at, id);

create table playlist_items (
  tenant text not null,
  playlist_id text not null,
  id integer not null,
  type text not null check (type in ('episode', 'podcast', 'custom_audio')),
  -- The episode or podcast; empty for audio of its own.
  ref text not null,
  -- Shown when the directory has the episode or podcast no more.
  title text not null,
  -- Of audio of its own alone.
  audio text not null,
  image text not null,
  notes text not null,
  added_at_ms bigint not null,
  -- Of the episode, the podcast's latest episode, or the audio, when it was put in.
  published_ms bigint not null,
  length_sec integer not null,
  primary key (tenant, playlist_id, id)
);
create index playlist_items_by_age on playlist_items (tenant, playlist_id, added_at_ms, id);
