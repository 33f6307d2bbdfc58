-- A project is a subscription of the platform: the columns are named as those of other services' resources are.
create table functions (
  tenant text not null,
  subscription_key text not null,
  location text not null,
  name_key text not null,
  -- What its callers decide, complete.
  desired jsonb not null,
  state text not null check (state in ('ACTIVE', 'FAILED', 'DEPLOYING', 'DELETING')),
  state_messages jsonb not null default '[]',
  -- Where it is called, below the service.
  address text not null unique,
  -- That which serves, if any has ever answered.
  revision text,
  -- Of the last revision that was made.
  number integer not null default 0,
  -- The last long-running operation.
  operation text not null,
  policy jsonb not null default '{}',
  policy_number integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant, subscription_key, location, name_key)
);
create index functions_by_name on functions (tenant, subscription_key, name_key, location);

-- What was built and answered: all that serving it takes.
create table revisions (
  tenant text not null,
  id text not null,
  project text not null,
  location text not null,
  function text not null,
  number integer not null,
  artifact text not null,
  source text not null,
  desired jsonb not null,
  created_at timestamptz not null,
  primary key (tenant, id)
);
create index revisions_by_function on revisions (tenant, project, location, function, number);

-- Addresses to which a source may be sent.
create table uploads (
  tenant text not null,
  id text not null,
  project text not null,
  location text not null,
  expires_at timestamptz not null,
  primary key (tenant, id)
);
create index uploads_by_expiry on uploads (expires_at);

-- Which long-running operation is about what; how it goes the platform knows.
create table operations (
  tenant text not null,
  id text not null,
  project text not null,
  location text not null,
  function text not null,
  verb text not null,
  created_at timestamptz not null,
  primary key (tenant, id)
);
create index operations_by_function on operations (tenant, project, location, function, created_at desc, id desc);
create index operations_by_time on operations (tenant, project, created_at desc, id desc);
create index operations_by_age on operations (created_at);

-- Passwords and the like, which functions get as environment variables.
create table secrets (
  tenant text not null,
  project text not null,
  name text not null,
  version integer not null,
  id text not null,
  sealed bytea not null,
  created_at timestamptz not null,
  primary key (tenant, project, name, version)
);
