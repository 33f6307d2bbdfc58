-- Once a lock cannot be changed any more, that stays so, whatever the clock says later.
alter table vaults add column forever boolean not null default false;
create index vaults_by_lock on vaults (lock_at) where locked and not forever and lock_at is not null;
