-- Which clients may ask people for a token of the platform: it can do all that the person may. The tenant is the one for
-- which those people act, since it is its permissions that are given away; '*' stands for everybody.
create table approvals (
  tenant text not null,
  client_id text not null references clients (id) on delete cascade,
  approved_at timestamptz not null,
  primary key (tenant, client_id)
);
create index approvals_by_client on approvals (client_id);

-- Guesses from a network are paced, not locked: until when those so far keep it busy.
alter table attempts add column busy_until timestamptz;
