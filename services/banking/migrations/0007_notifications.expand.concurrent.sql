create index concurrently events_pushed on banking.events (tenant, user_id, id) where pushed;
create unique index concurrently records_allocations on banking.records (tenant, parent_id, (body ->> 'trigger'))
  where kind = 'PaymentAutoAllocateInstance';
