-- What goes with age is found by its age. An operation has one once it has ended.
create index operations_ended on operations (updated_at) where status in ('succeeded', 'failed', 'cancelled');
create index idempotent_replies_by_creation on idempotent_replies (created_at);
