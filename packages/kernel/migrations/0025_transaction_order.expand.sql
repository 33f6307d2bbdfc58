-- Logs are ordered by the transactions that wrote them, and each cell numbers its own: how many come before those of this cell.
alter table tenants add column earlier_transactions bigint not null default 0;
