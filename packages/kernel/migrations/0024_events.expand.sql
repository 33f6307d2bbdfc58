-- Which events a service receives for a tenant: one type for each of its subscribers.
create table event_subscriptions (
  tenant text not null,
  service text not null,
  subscriber text not null,
  type text not null,
  primary key (tenant, service, subscriber)
);
create index event_subscriptions_by_type on event_subscriptions (tenant, type, service);

-- Events on their way to a subscribed service, stored once for all of its subscribers. Those with one key are in order: the row
-- that they are about is locked when they get their number.
create table events (
  number bigint generated always as identity,
  tenant text not null,
  service text not null,
  key text,
  attributes jsonb not null,
  data jsonb not null,
  created_at timestamptz not null,
  primary key (tenant, service, number)
);
create index events_by_age on events (created_at);
