-- Instances that run, or are about to: leases under which they count against the maximum of their revision, on whichever node
-- they are. One that its node does not renew counts no longer. By the database's own clock, which nobody moves.
create table instances (
  tenant text not null,
  revision text not null,
  id uuid not null,
  node text not null,
  ending boolean not null default false, -- counts until it is gone, but not as one that is kept
  expires_at timestamptz not null,
  primary key (tenant, revision, id)
);

-- Nodes whose requests wait because others have all the instances that a revision may have.
create table instance_waits (
  tenant text not null,
  revision text not null,
  node text not null,
  since timestamptz not null, -- who has waited longest comes first
  expires_at timestamptz not null,
  primary key (tenant, revision, node)
);

-- Revisions that another one took over from, so that every node hears of it.
create table retired_revisions (
  revision text primary key,
  retired_at timestamptz not null default now()
);
