-- Who signs in. A person belongs to the issuer and signs in to clients of many tenants; `tenant` is whom they act as
-- on the platform.
create table people (
  id text primary key,
  email text not null,
  email_verified boolean not null,
  -- argon2id as a PHC string; null for somebody who has only passkeys, or has not chosen a password yet.
  password_hash text,
  tenant text not null,
  permissions text[] not null default '{identity-connect:*}',
  -- The standard claims that a person tells of themselves, under their names in OpenID Connect.
  profile jsonb not null default '{}',
  disabled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index people_by_email on people (lower(email));
create index people_by_tenant on people (tenant, lower(email));

-- Guesses at passwords, by account and by network. The key is an HMAC: the table tells nobody who tried from where.
create table attempts (
  key bytea primary key,
  failures integer not null,
  since timestamptz not null,
  -- How many times in a row it came to a lock: each is longer than the one before.
  locks integer not null,
  locked_until timestamptz
);
create index attempts_by_age on attempts (since);

-- Mails with a link that works once. The link's secret is made when the mail is sent and is kept as a hash only.
create table links (
  id text primary key,
  purpose text not null check (purpose in ('verify', 'reset', 'invitation')),
  email text not null,
  person text references people on delete cascade,
  -- What an invitation gives: tenant, permissions, who invited.
  invitation jsonb,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Used, or replaced by a newer one.
  ended_at timestamptz
);
create index links_by_email on links (lower(email), purpose, created_at);
create index links_by_person on links (person) where person is not null;
create index links_by_expiry on links (expires_at);

-- Usually one for a link; one more for every time that its mail had to be sent again.
create table link_tokens (
  hash bytea primary key,
  link text not null references links on delete cascade
);
create index link_tokens_by_link on link_tokens (link);

create table passkeys (
  id text primary key,
  person text not null references people on delete cascade,
  -- As the authenticator knows it, in base64url: too long to stand in a path.
  credential_id text not null unique,
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  used_at timestamptz
);
create index passkeys_by_person on passkeys (person, created_at, id);

create table challenges (
  challenge text primary key,
  purpose text not null check (purpose in ('register', 'authenticate')),
  person text references people on delete cascade,
  expires_at timestamptz not null,
  check ((purpose = 'register') = (person is not null))
);
create index challenges_by_person on challenges (person) where person is not null;
create index challenges_by_expiry on challenges (expires_at);

-- What a person has allowed a client to know.
create table consents (
  person text not null references people on delete cascade,
  client_id text not null,
  scopes text[] not null,
  claims text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (person, client_id)
);
create index consents_by_client on consents (client_id);
