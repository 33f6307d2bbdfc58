-- What operations answer from: a list of a season ('' is its scope), of an event (its code) or of a district ('@' and its
-- code). A list of all events together, such as the awards by team, has the scope '*' and no items of its own.
create table lists (
  tenant text not null,
  season integer not null,
  scope text not null,
  list text not null,
  -- Counts the changes of a tenant, in the order in which they committed: nodes ask for what is newer than they know.
  version bigint not null,
  -- Seconds since 1970. Grows with every change, by one at least: an HTTP date has no fractions.
  modified bigint not null,
  -- Whether it was imported; otherwise it was worked out from other lists.
  given boolean not null default true,
  primary key (tenant, season, scope, list)
);
create index lists_by_version on lists (tenant, version);

create table items (
  tenant text not null,
  season integer not null,
  list text not null,
  scope text not null,
  key text not null,
  position integer not null,
  -- As it is answered: JSON.
  content text not null,
  -- Whom it concerns: for lists that can be asked for one team.
  teams integer[] not null default '{}',
  modified bigint not null,
  primary key (tenant, season, list, scope, key)
);

-- Answers to the usual questions, as bytes.
create table answers (
  tenant text not null,
  season integer not null,
  scope text not null,
  list text not null,
  -- Of a list that is asked for in parts: a level, or a page.
  part text not null,
  version bigint not null,
  modified bigint not null,
  etag text not null,
  items integer not null,
  gzip bytea not null,
  br bytea not null,
  primary key (tenant, season, scope, list, part)
);
-- They are compressed already.
alter table answers alter column gzip set storage external, alter column br set storage external;

-- What was fetched from another server of this API, so that a mirror asks only for what has changed.
create table mirrored (
  tenant text not null,
  season integer not null,
  path text not null,
  last_modified text not null,
  pages integer not null default 1,
  primary key (tenant, season, path)
);
