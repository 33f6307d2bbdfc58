-- What was answered to a request that names itself by a token: its retry is answered the same, and has no second effect.
create table idempotent_replies (
  tenant text not null,
  operation text not null,
  token text not null,
  content_hash bytea not null,
  reply jsonb not null,
  created_at timestamptz not null,
  primary key (tenant, operation, token)
);
create index idempotent_replies_by_age on idempotent_replies (tenant, created_at);
