create table configuration_sets (
  tenant text not null,
  name text collate "C" not null,
  created_at timestamptz not null,
  primary key (tenant, name)
);

create table event_destinations (
  tenant text not null,
  set_name text not null,
  name text not null,
  id uuid not null,
  enabled boolean not null,
  event_types text[] not null,
  kind text not null check (kind in ('log', 'stream', 'topic')),
  arn text not null,
  role_arn text,
  -- The jobs that deliver to it, one after another, while there is something to deliver: never two at a time.
  delivery uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant, set_name, name),
  unique (tenant, id),
  foreign key (tenant, set_name) references configuration_sets on delete cascade
);

-- One row for every message: how far its call is.
create table calls (
  tenant text not null,
  id uuid not null,
  set_name text,
  number text not null,
  caller text,
  owner text,
  speech jsonb, -- what is to be said; nothing any more when the call is over
  state text not null check (
    state in ('waiting', 'initiated', 'ringing', 'answered', 'completed', 'busy', 'no_answer', 'failed')),
  -- How often it was tried, the attempt under way included, and how many events that made.
  attempts integer not null default 0,
  events integer not null default 0,
  -- When it is to be tried next, while it waits.
  due_at timestamptz not null,
  -- Which job has it in its hands.
  shift uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant, id)
) with (fillfactor = 70);
create index calls_due on calls (due_at) where state = 'waiting' and shift is null;
create index calls_by_shift on calls (shift) where shift is not null;
create index calls_over on calls (updated_at) where speech is null;

-- What happened in a call, numbered by call.
create table events (
  tenant text not null,
  call_id uuid not null,
  number integer not null,
  id uuid not null,
  type text not null,
  body jsonb not null,
  happened_at timestamptz not null,
  primary key (tenant, call_id, number),
  foreign key (tenant, call_id) references calls on delete cascade
);

-- What a destination has still to be told, in this order.
create table deliveries (
  tenant text not null,
  destination_id uuid not null,
  number bigint generated always as identity,
  call_id uuid not null,
  event_number integer not null,
  created_at timestamptz not null,
  primary key (tenant, destination_id, number),
  foreign key (tenant, destination_id) references event_destinations (tenant, id) on delete cascade,
  foreign key (tenant, call_id, event_number) references events on delete cascade
);
create index deliveries_by_age on deliveries (created_at);
create index deliveries_by_event on deliveries (tenant, call_id, event_number);

-- How many messages each account may send right now.
create table allowances (
  tenant text primary key,
  messages double precision not null,
  at timestamptz not null
);
