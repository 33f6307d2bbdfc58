-- Folders that nodes must share, such as that of blobs: each holds its id in a file. A node that does not find the id there
-- has mounted another folder, or none, and does not start.
create table shared_folders (
  name text primary key,
  id text not null,
  created_at timestamptz not null default clock_timestamp()
);
