alter table icosa.tenants validate constraint tenants_tagged;
create index concurrently timers_by_tenant on icosa.timers (tenant);
