-- Whose calls wait: they are taken tenant by tenant.
create index calls_due_by_tenant on calls (tenant, due_at) where state = 'waiting' and shift is null;
