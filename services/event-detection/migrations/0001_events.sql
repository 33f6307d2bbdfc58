-- Raised by every change to a tenant's inputs and models: by it a node knows whether what it remembers still holds.
create table catalogs (
  tenant text not null primary key,
  version bigint not null
);

create table inputs (
  tenant text not null,
  name text collate "C" not null,
  description text,
  definition jsonb not null,
  tags jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant, name)
);

-- Detector models and alarm models. The id stands for a model in the mailbox: one of the same name made later is another.
create table models (
  tenant text not null,
  kind text not null check (kind in ('detector', 'alarm')),
  name text collate "C" not null,
  id bigint generated always as identity unique,
  -- The attribute by which messages are told apart; none if the model has one instance.
  key_attribute text,
  -- The inputs whose messages are for it.
  inputs text[] not null,
  tags jsonb not null,
  version integer not null,
  -- The instances of the current version.
  generation bigint not null unique,
  created_at timestamptz not null,
  primary key (tenant, kind, name)
);
create sequence generations;

create table versions (
  tenant text not null,
  model_id bigint not null references models (id) on delete cascade,
  version integer not null,
  description text,
  role_arn text not null,
  definition jsonb not null,
  created_at timestamptz not null,
  primary key (tenant, model_id, version)
);

-- Instances of these are to be deleted: their model was deleted or has a newer version.
create table retired_generations (
  tenant text not null,
  generation bigint not null,
  retired_at timestamptz not null,
  primary key (tenant, generation)
);

-- Detectors and alarms, one for every key that messages have named. All of a row is rewritten with every message, so there
-- is room beside it for the next one.
create table instances (
  tenant text not null,
  generation bigint not null,
  key text collate "C" not null, -- empty where the model has no key
  partition smallint not null,
  state_name text not null,
  state json not null,
  -- When its next timer fires, or its snooze ends.
  due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant, generation, key)
) with (fillfactor = 70);
-- One text for three columns: begun with the same columns as the primary key, it would be taken for it while the server knows
-- nothing about the table, and every instance of a model would be read to find one.
create index instances_by_state on instances ((tenant || ' ' || generation::text || ' ' || state_name), key);
create index instances_due on instances (partition, due_at) where due_at is not null;

-- Messages that wait to be evaluated, many in a row. Whoever evaluates those of a partition holds a lock on it.
create table mailbox (
  partition smallint not null,
  id bigint generated always as identity,
  messages integer not null,
  body text not null,
  primary key (partition, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
alter table mailbox alter column body set storage external; -- read once: not worth compressing

-- Whether an evaluation was asked for that has not begun.
create table lanes (id smallint primary key, asked boolean not null);
-- For when an evaluation was asked for, because a timer runs out then.
create table aims (id smallint primary key, at timestamptz not null);

-- What happened: transitions, deliveries that failed, expressions that had no value.
create table journal (
  tenant text not null,
  -- Orders entries as they were committed, which a number from a sequence does not.
  xact xid8 not null default pg_current_xact_id(),
  number bigint generated always as identity,
  kind text not null check (kind in ('transition', 'failure', 'error', 'message')),
  model_kind text not null check (model_kind in ('detector', 'alarm')),
  model_name text collate "C" not null,
  version integer not null,
  key text collate "C" not null,
  at timestamptz not null,
  entry json not null,
  -- The message that led to it, by its place in the mailbox, and which of its entries this is.
  segment bigint,
  position integer,
  ordinal integer not null,
  primary key (tenant, xact, number)
);
-- However often a message were evaluated, it would count once.
create unique index journal_messages on journal (tenant, segment, position, kind, ordinal) where segment is not null;
create index journal_by_age on journal using brin (at);

create table logging_options (
  tenant text not null primary key,
  options jsonb not null
);

create table analyses (
  tenant text not null,
  id text not null,
  results jsonb not null,
  created_at timestamptz not null,
  primary key (tenant, id)
);
create index analyses_by_age on analyses (created_at);
