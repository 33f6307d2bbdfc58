-- Ended requests, jobs and deliveries, by trace: the history of a thing.
create table spans (
  tenant text not null,
  trace_id text not null,
  span_id text not null,
  parent_id text,
  -- The trace whose job enqueued this one, which began its own.
  enqueued_by text,
  kind text not null check (kind in ('request', 'job', 'delivery')),
  name text not null,
  request_id text,
  started_at timestamptz not null,
  ms double precision not null,
  has_failed boolean not null,
  attributes jsonb not null,
  error text,
  primary key (tenant, trace_id, span_id)
);
create index spans_by_request on spans (tenant, request_id) where request_id is not null;
create index spans_by_enqueuing_trace on spans (tenant, enqueued_by) where enqueued_by is not null;
create index spans_by_start on spans (started_at);
