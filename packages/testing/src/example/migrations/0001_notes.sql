create table notes (
  tenant text not null,
  id text not null,
  title text not null,
  text text not null,
  published_times integer not null default 0,
  created_at timestamptz not null,
  primary key (tenant, id)
);
create index notes_by_title on notes (tenant, title, id);
