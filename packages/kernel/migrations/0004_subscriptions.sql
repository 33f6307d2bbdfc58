-- Resource managers' subscriptions, each of one tenant: of the first who made something in it.
create table subscriptions (
  key text primary key,
  tenant text not null,
  created_at timestamptz not null
);
