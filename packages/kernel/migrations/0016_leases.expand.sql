-- Which worker does what one is enough for, until when by this server's clock.
create table leases (
  name text primary key,
  holder uuid not null,
  expires_at timestamptz not null
);
