-- Keys that sign tokens. A generation has one key for every algorithm; the newest one that may sign already, signs.
-- The private half must be read back, so it is kept encrypted under the master key.
create table signing_keys (
  kid text primary key,
  generation integer not null,
  alg text not null,
  public_jwk jsonb not null,
  private_jwk bytea not null,
  created_at timestamptz not null,
  signs_from timestamptz not null,
  published_until timestamptz, -- null until the next generation is made
  unique (generation, alg)
);

-- Tokens that are refused although they have not expired, by a name that they carry: their own, or that of the person,
-- credential, client, grant or session they were issued to. Times are real, since those in tokens are: a clock that was
-- moved must not bring a token back. A row outlives every token that it refuses.
create table revocations (
  id bigint generated always as identity primary key,
  subject text not null,
  revoked_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null default clock_timestamp() + interval '25 hours',
  -- Not a sequence: transactions commit in another order than they began, and a reader must not miss the late ones.
  transaction xid8 not null default pg_current_xact_id()
);
create index revocations_by_transaction on revocations (transaction);
create index revocations_by_expiry on revocations (expires_at);
