-- A continuous recovery point has nothing in the repository: the service of its resource has it as it was at every moment.
-- It is ongoing until its resource is gone and another one is in its place.
alter table recovery_points
  add column continuous boolean not null default false,
  add column ongoing boolean not null default false;
create unique index recovery_points_ongoing on recovery_points (tenant, resource_key) where ongoing and status = 'COMPLETED';
-- Of a continuous rule: when it is due again.
alter table backup_jobs add column continuous_until timestamptz;
