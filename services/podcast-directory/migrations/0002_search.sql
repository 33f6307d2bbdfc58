-- A tenant's number stands before every word in the index: its words are lists of their own there.
create table tenants (
  tenant text primary key,
  number integer generated always as identity unique
);

-- What is searched, made of the rows of 0001 and of curated lists. It can be made anew from them at any time.
-- Its words stand in `terms` as shelf, mark and word: '1e0.star' anywhere, '1e0:star' in the title, '1e0~lEnglish' for
-- what it is, '1e0^star' for what it is about. A shelf is a tenant's number, a kind and how popular the podcast is.
create table documents (
  tenant text not null,
  kind text not null check (kind in ('episode', 'podcast', 'list')),
  id text not null,
  podcast_id text not null,
  shelf text collate "C" not null,
  -- The order inside a shelf, the highest first: of episodes their date, of podcasts their score and then their date.
  place bigint not null,
  published_ms bigint not null,
  length_sec integer not null,
  episode_count integer not null,
  update_hours integer not null,
  score smallint not null,
  -- The words that tell it from others, each with its weight: a vector of length 1.
  telling jsonb not null,
  terms tsvector not null,
  primary key (tenant, kind, id)
) with (parallel_workers = 0);
-- Whether words are looked up or rows are walked through is decided by our own counts: the planner needs none.
alter table documents alter column terms set statistics 0;
-- Not kept in a list that every search would have to read.
create index documents_by_term on documents using gin (terms) with (fastupdate = off);
create index documents_by_place on documents (shelf, place desc, id);
create index documents_by_date on documents (shelf, published_ms desc, id) where kind <> 'episode';

-- How many documents a shelf holds.
create table shelves (
  shelf text collate "C" primary key,
  tenant text not null,
  documents bigint not null
) with (fillfactor = 50);

-- How many documents have a word, and how many in their title; how many are something, after a '~'. A document counts
-- when it is first indexed.
create table vocabulary (
  tenant text not null,
  word text collate "C" not null,
  documents bigint not null,
  titles bigint not null,
  -- The word without each of its letters, after the tenant's number: what a misspelling has in common with it.
  spellings text[],
  primary key (tenant, word)
) with (fillfactor = 70);
-- Else many spellings look like many rows, and the whole table is read.
alter table vocabulary alter column spellings set statistics 0;
create index vocabulary_by_spelling on vocabulary using gin (spellings) with (fastupdate = off);
create index vocabulary_to_learn on vocabulary (tenant) 
  where spellings is null and (titles > 0 or documents > 4) and word not like '~%';

-- What a few letters can become: titles of podcasts from each of their words on, and searches that found something.
create table completions (
  tenant text not null,
  source text not null check (source in ('podcast', 'search', 'title')),
  key text collate "C" not null,
  podcast_id text not null default '',
  text text not null,
  weight integer not null,
  explicit_content boolean not null default false,
  primary key (tenant, source, key, podcast_id)
);
-- A letter or two fit half of all rows: they are found in the order of their weight.
create index completions_by_one on completions (tenant, source, left(key, 1), weight desc);
create index completions_by_two on completions (tenant, source, left(key, 2), weight desc);
create index completions_by_three on completions (tenant, source, left(key, 3), weight desc);
create index completions_of_podcast on completions (tenant, podcast_id) where podcast_id <> '';
