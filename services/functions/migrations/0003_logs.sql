-- What functions print, and how their invocations ended. Nodes write in batches; readers go on from (xact, number), behind which
-- nothing appears any more once all transactions before it have ended.
create table log_lines (
  tenant text not null,
  project text not null,
  location text not null,
  function text not null,
  xact xid8 not null default pg_current_xact_id(),
  number bigint generated always as identity,
  at timestamptz not null,
  invocation text,
  stream text not null check (stream in ('stdout', 'stderr', 'platform')),
  text text not null,
  primary key (tenant, project, location, function, xact, number)
);
create index log_lines_by_age on log_lines (at);

create index retired_revisions_by_age on retired_revisions (retired_at);
