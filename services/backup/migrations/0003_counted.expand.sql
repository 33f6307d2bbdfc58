-- What was written is what the snapshot's id says, which restic checks when it reads: see docs/adr/0060. Nodes of the version
-- before still write the hash, so the column stays for them, and goes with a later version. A checkout of one day in November
-- 2026 dropped it at once.
do $$ begin
  if exists (
    select from information_schema.columns
    where table_schema = 'backup' and table_name = 'recovery_points' and column_name = 'sha256'
  ) then
    alter table recovery_points alter column sha256 drop not null;
  end if;
end $$;
delete from icosa.migrations where owner = 'backup' and name = '0003_counted.sql';
