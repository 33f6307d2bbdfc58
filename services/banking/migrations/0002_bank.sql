-- The key with which the bank signs its answers and callbacks; one for all nodes.
create table server_keys (
  id text not null primary key check (id = 'current'),
  public_key text not null,
  private_key bytea not null
);

create table users (
  tenant text not null,
  id bigint generated always as identity,
  kind text not null check (kind in ('UserPerson', 'UserCompany')),
  uuid uuid not null,
  display_name text not null,
  email text not null,
  phone text not null,
  -- As callers change it.
  profile jsonb not null,
  session_timeout integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant, id)
);
create unique index users_email on users (tenant, lower(email));
create unique index users_phone on users (tenant, phone);

-- The keys that users hand to their programs.
create table api_keys (
  tenant text not null,
  key_hash bytea not null,
  user_id bigint not null,
  primary key (tenant, key_hash),
  foreign key (tenant, user_id) references users (tenant, id)
);

-- Programs that may act for a user: with which key they sign, and from where.
create table devices (
  tenant text not null,
  id bigint generated always as identity,
  user_id bigint not null,
  installation_id bigint not null,
  public_key text not null,
  description text not null,
  ip text not null,
  -- Where it may be; '*' is anywhere.
  permitted_ips text[] not null,
  created_at timestamptz not null,
  primary key (tenant, id),
  unique (tenant, installation_id, user_id),
  foreign key (tenant, user_id) references users (tenant, id)
);

create table sessions (
  tenant text not null,
  id bigint generated always as identity,
  device_id bigint not null,
  user_id bigint not null,
  token_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant, id),
  unique (tenant, token_hash),
  foreign key (tenant, device_id) references devices (tenant, id)
);
create index sessions_expired on sessions (expires_at);

-- The bank's own accounts in the ledger, one of a kind and currency: where sandbox money comes from, where payments to
-- other banks go.
create table house_accounts (
  tenant text not null,
  purpose text not null,
  currency text not null,
  account_id bigint not null,
  primary key (tenant, purpose, currency),
  foreign key (tenant, account_id) references ledger_accounts (tenant, id)
);

-- Its id is that of its account in the ledger.
create table monetary_accounts (
  tenant text not null,
  id bigint not null,
  user_id bigint not null,
  kind text not null check (kind in ('MonetaryAccountBank', 'MonetaryAccountSavings', 'MonetaryAccountJoint')),
  uuid uuid not null,
  currency text not null,
  iban text not null,
  description text not null,
  status text not null,
  sub_status text not null,
  -- As callers change it.
  details jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant, id),
  unique (tenant, iban),
  foreign key (tenant, id) references ledger_accounts (tenant, id),
  foreign key (tenant, user_id) references users (tenant, id)
);
create index monetary_accounts_by_user on monetary_accounts (tenant, user_id, id desc);

-- One row for each side of a transaction of the ledger that is an account of ours.
create table payments (
  tenant text not null,
  id bigint generated always as identity,
  account_id bigint not null,
  transaction_id bigint not null,
  amount bigint not null,
  currency text not null,
  description text not null,
  type text not null,
  sub_type text not null,
  -- The other side as it was then.
  alias jsonb not null,
  counterparty jsonb not null,
  -- What else was said, and what it came from: batch_id, scheduled_id.
  details jsonb not null,
  created_at timestamptz not null,
  primary key (tenant, account_id, id),
  foreign key (tenant, account_id) references monetary_accounts (tenant, id)
);
create index payments_by_transaction on payments (tenant, transaction_id);
create index payments_by_time on payments (tenant, account_id, created_at);

-- Everything else that users make: drafts, requests, schedules, cards, tabs, notes. `body` is what its kind has.
create table records (
  tenant text not null,
  kind text not null,
  id bigint generated always as identity,
  user_id bigint not null,
  -- Null for what belongs to the user and not to an account; the id of what it belongs to, for what is below something.
  account_id bigint,
  parent_id bigint,
  status text not null,
  body jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant, kind, id),
  foreign key (tenant, user_id) references users (tenant, id)
);
create index records_of on records (tenant, kind, user_id, account_id, parent_id, id desc);

-- What happened to users, for their programs: `object_kind` and `object_id` say to what.
create table events (
  tenant text not null,
  id bigint generated always as identity,
  user_id bigint not null,
  account_id bigint not null,
  category text not null,
  action text not null,
  object_kind text not null,
  object_id bigint not null,
  created_at timestamptz not null,
  primary key (tenant, user_id, id)
);
create index events_created on events (created_at);

-- Files in the blob store, under their uuids.
create table attachments (
  tenant text not null,
  id bigint generated always as identity,
  uuid uuid not null,
  -- Null for those that everybody in the bank sees.
  user_id bigint,
  content_type text not null,
  description text,
  size bigint not null,
  created_at timestamptz not null,
  primary key (tenant, id),
  unique (tenant, uuid)
);

create table avatars (
  tenant text not null,
  uuid uuid not null,
  anchor_uuid text,
  style text,
  images jsonb not null,
  primary key (tenant, uuid)
);

-- PINs are sealed, and never read back by callers.
create table card_pins (
  tenant text not null,
  card_id bigint not null,
  pin bytea not null,
  primary key (tenant, card_id)
);
