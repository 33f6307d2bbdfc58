-- Large messages, and those with many recipients, are stored once. A delivery without data of its own refers to the message with its id.
create table messages (
  tenant text not null,
  id text not null,
  topic text,
  attributes jsonb not null,
  data text not null, -- JSON as it is sent, so that nothing parses it in between
  bytes integer not null,
  -- Deliveries that still need it, and one more while deliveries are being made. At 0 the message is deleted.
  refs integer not null default 1 check (refs >= 0),
  created_at timestamptz not null,
  primary key (tenant, id)
);
alter table deliveries alter column data drop not null;
