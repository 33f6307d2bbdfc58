-- Identities of functions. Their addresses name a project and no tenant, so each exists once.
create table service_accounts (
  tenant text not null,
  project text not null,
  name text not null,
  permissions text[] not null,
  created_at timestamptz not null,
  primary key (tenant, project, name),
  unique (project, name)
);
