-- What a document is also stands in its row: for the few that have a rare word, rows are asked, not long lists of the index.
alter table documents add column facets text[] not null default '{}';
-- Rows of a shelf are read by their words and dates, no longer one by one.
drop index documents_by_date;

-- Counts change with every document: an index over them would have each change written to every index of the table.
drop index vocabulary_to_learn;
alter table vocabulary add column to_learn boolean not null
  generated always as ((titles > 0 or documents > 4) and word not like '~%') stored;
create index vocabulary_to_learn on vocabulary (tenant) where to_learn and spellings is null;

-- How many documents of a month, such as 2026-11, and of a year a shelf holds.
drop table shelves;
create table shelves (
  shelf text collate "C" not null,
  period text collate "C" not null,
  tenant text not null,
  documents bigint not null,
  primary key (shelf, period)
) with (fillfactor = 50);
create index shelves_of_tenant on shelves (tenant);

-- Episodes and podcasts get words for their dates, and one in 64 those of a sample: they are made anew, as new ones are.
delete from documents where kind <> 'list';
delete from vocabulary where tenant <> '*'; -- but for the dictionary
insert into shelves (shelf, period, tenant, documents)
  select shelf, to_char(to_timestamp(published_ms / 1000) at time zone 'UTC', period), tenant, count(*)
  from documents, unnest('{YYYY-MM,YYYY}'::text[]) as period group by 1, 2, 3;
insert into changes (tenant, kind, id, podcast_id) select tenant, 'podcast', id, id from podcasts;
insert into changes (tenant, kind, id, podcast_id) select tenant, 'episode', id, podcast_id from episodes;
