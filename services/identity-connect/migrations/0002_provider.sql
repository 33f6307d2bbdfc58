-- What the protocol keeps: sessions, interactions, grants, codes and tokens. One table, since the library asks for all
-- of them in the same few ways. They belong to people, who are no tenant's: the key is a secret or the hash of one.
create table artifacts (
  model text not null,
  id text not null,
  payload jsonb not null,
  grant_id text,
  -- A session's or interaction's second name, which is not a secret.
  uid text,
  account_id text,
  client_id text,
  -- What a person knows a session by: the browser.
  label text,
  consumed_at timestamptz,
  expires_at timestamptz not null,
  primary key (model, id)
);
create index artifacts_by_grant on artifacts (grant_id) where grant_id is not null;
create index artifacts_by_uid on artifacts (model, uid) where uid is not null;
create index artifacts_by_account on artifacts (account_id, model) where account_id is not null;
create index artifacts_by_expiry on artifacts (expires_at);

-- Applications that sign people in, each registered by a tenant.
create table clients (
  tenant text not null,
  id text not null unique,
  -- The application's secret is 256 random bits, so a fast hash keeps it safe; null for one that cannot keep a secret.
  secret_hash bytea,
  metadata jsonb not null,
  created_at timestamptz not null,
  primary key (tenant, id)
);
