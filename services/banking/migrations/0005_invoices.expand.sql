-- An account gets one invoice for a month, whoever else writes invoices at the same moment.
create unique index records_invoices on records (tenant, account_id, (body ->> 'month')) where kind = 'Invoice';
-- What is still to be paid.
create index records_open_invoices on records (tenant, updated_at) where kind = 'Invoice' and status = 'OPEN';
