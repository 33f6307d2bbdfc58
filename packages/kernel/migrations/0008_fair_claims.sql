-- Who waits in which lane of a queue, and since when: workers go from tenant to tenant by it, and never read through the
-- jobs of one tenant to find another. The table is pg-boss's, which keeps a job's group: its tenant, and as a tier its lane.
create index job_by_tenant on jobs.job_common
  (name, coalesce(group_tier, 'default'), coalesce(group_id, 'icosa'), created_on)
  where state < 'active' and not blocked;

-- What runs: the few among all that wait whose workers may have died.
create index job_running on jobs.job_common (name) where state = 'active';
