create table modules (
  tenant text not null,
  -- Names are compared without case: the keys are in lower case, the names beside them as they were given.
  subscription_key text not null,
  group_key text not null,
  name_key text not null,
  subscription text not null,
  resource_group text not null,
  name text not null,
  -- By which its token and its keys are found: a later module may have the same name.
  id uuid not null,
  location text not null,
  tags jsonb not null,
  zones jsonb not null,
  stamp_id text,
  network_profile jsonb,
  state text not null check (state in ('Provisioning', 'Succeeded', 'Failed', 'Deleting')),
  status_message text not null,
  -- Its token without keys, with the PINs that open it, sealed by the vault: null until it is there.
  token bytea,
  -- The PIN that applications send, as a keyed hash, and how often in a row it was wrong.
  pin_hash bytea,
  pin_failures integer not null default 0,
  created_at timestamptz not null,
  primary key (tenant, subscription_key, group_key, name_key)
);
create unique index modules_by_id on modules (id);
alter table modules add constraint modules_own unique (tenant, id);

create table keys (
  tenant text not null,
  module uuid not null,
  name text not null,
  -- By which the token knows it: a later key may have the same name.
  id uuid not null,
  type text not null check (type in ('RSA', 'EC', 'OKP', 'AES')),
  size integer,
  curve text,
  operations jsonb not null,
  exportable boolean not null,
  imported boolean not null,
  access jsonb not null,
  public_key text,
  -- Its files in the token, sealed by the vault: the token has encrypted them under its PIN before.
  material bytea not null,
  created_at timestamptz not null,
  primary key (tenant, module, name),
  foreign key (tenant, module) references modules (tenant, id)
);
create unique index keys_by_id on keys (id);

-- Every use of a key, and every attempt that was refused. Rows are only added; they outlive their module.
create table uses (
  tenant text not null,
  module uuid not null,
  id bigint generated always as identity,
  at timestamptz not null,
  key text,
  operation text not null,
  algorithm text,
  caller text not null,
  outcome text not null check (outcome in ('done', 'refused', 'failed')),
  detail text,
  primary key (tenant, module, id)
);
create index uses_by_age on uses (at);
