create table apps (
  tenant text not null,
  id uuid not null unique,
  name text not null,
  description text not null,
  culture text not null,
  domain text not null,
  usage_scenario text not null,
  active_version text not null,
  -- Whether keys of other tenants may ask it for predictions.
  is_public boolean not null default false,
  sentiment_analysis boolean not null default false,
  speech boolean not null default false,
  spell_checker boolean not null default false,
  collaborators text[] not null default '{}',
  endpoint_hits bigint not null default 0,
  created_at timestamptz not null,
  primary key (tenant, id)
);
create unique index on apps (tenant, name);
create index on apps (tenant, created_at, id);

-- A version: all that its author has said, but for the utterances. The uid stands for it in other tables: one of the same
-- id made later is another.
create table versions (
  tenant text not null,
  app uuid not null,
  id text collate "C" not null,
  uid uuid not null,
  -- Intents, entities, features and patterns, as one document: it is read and written as a whole.
  content json not null,
  -- Grows with every change of the content or the utterances.
  revision bigint not null default 1,
  next_example bigint not null default 1,
  intents_count integer not null,
  entities_count integer not null,
  endpoint_hits bigint not null default 0,
  created_at timestamptz not null,
  modified_at timestamptz not null,
  -- Null until it is trained for the first time.
  training_status text check (training_status in ('queued', 'running', 'succeeded', 'failed')),
  training_failure text,
  training_progress real,
  trained_at timestamptz,
  -- Which revision was trained, from how many utterances, and the blob with what was learnt; null until it was.
  trained_revision bigint,
  trained_examples integer,
  model text,
  published_at timestamptz,
  primary key (tenant, app, id)
);
create unique index on versions (tenant, uid);

create table utterances (
  tenant text not null,
  version uuid not null,
  id bigint not null,
  text text not null,
  intent uuid not null,
  -- Which part of the text is which entity, by the ids of the models.
  labels json not null,
  -- All models of the labels, with those of children: finds the utterances of one.
  models uuid[] not null,
  primary key (tenant, version, id)
);
create index on utterances (tenant, version, md5(text));
create index on utterances (tenant, version, intent, id);

-- What the prediction addresses of an app answer with.
create table slots (
  tenant text not null,
  app uuid not null,
  slot text not null check (slot in ('production', 'staging')),
  version_id text not null,
  version uuid not null,
  model text not null,
  sentiment_analysis boolean not null,
  published_at timestamptz not null,
  primary key (tenant, app, slot)
);
create index on slots (tenant, version);

-- What was asked of an app, where its callers let it be kept: to review, and to label.
create table query_logs (
  tenant text not null,
  app uuid not null,
  id uuid not null,
  version_id text not null,
  query text not null,
  answer json not null,
  created_at timestamptz not null,
  primary key (tenant, app, created_at, id)
);
create index on query_logs (created_at);
create index on query_logs (tenant, app, md5(query));
