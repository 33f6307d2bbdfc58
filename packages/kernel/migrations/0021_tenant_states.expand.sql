-- Tenants that leave this cell, or live in another one. A tenant without a row lives here.
create table tenant_states (
  id text primary key,
  state text not null check (state in ('copying', 'fenced', 'moved')),
  cell text not null, -- where it goes, or lives
  gate int unique check ((gate is not null) = (state = 'copying')) -- of its own, while it is copied
);

-- One row: the gate of all other tenants, the highest number of a gate, and the number of changes to tenant states.
create table fence (
  only_row boolean primary key default true check (only_row),
  gate int not null default 1,
  last_gate int not null default 1,
  version bigint not null default 0
);
insert into fence default values;

-- A gate has no content: every write transaction of its tenants locks it until it ends. Dropping one waits for them, and
-- later ones fail.
create view gate_1 as select;
