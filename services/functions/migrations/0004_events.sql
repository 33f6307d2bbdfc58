-- Triggers are part of what callers want of a function: found by what they wait for.
create index functions_by_event on functions (tenant, (desired->'eventTrigger'->>'eventType'))
  where desired ? 'eventTrigger';

-- Events on their way to a function; they go when it has taken them, or stay for a while if it never did.
create table deliveries (
  tenant text not null,
  project text not null,
  location text not null,
  function text not null,
  id text not null,
  attributes jsonb not null,
  data jsonb not null,
  attempts integer not null default 0,
  reason text,
  created_at timestamptz not null,
  failed_at timestamptz,
  primary key (tenant, project, location, function, id)
);
create index deliveries_by_failure on deliveries (failed_at) where failed_at is not null;
