-- In a transaction of its own, which blocks no writes.
update tenant_states set tag = tenants.tag from tenants where tenants.id = tenant_states.id;
