-- The sum by which zips know a file: with it an export writes the file without having read it before.
alter table media add column crc32 bigint;
create index media_by_blob on media (tenant, blob);
-- Of those that came lately, some stand nowhere after a week.
create index media_by_age on media (created_at);

-- An export lies in the blobs in parts.
create table export_parts (
  tenant text not null,
  export bigint not null,
  number integer not null,
  blob text not null,
  size bigint not null,
  -- The records that stand at the end of the zip for the files that begin in the part.
  directory bytea not null,
  -- What the part adds to the one text of all contributions.
  text bytea not null,
  primary key (tenant, export, number),
  foreign key (tenant, export) references exports (tenant, id) on delete cascade
);
