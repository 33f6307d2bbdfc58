-- Credentials that development mode makes. Everybody knows them, so only nodes of development mode take them.
alter table credentials add column development boolean not null default false;
update credentials set development = true where id in ('key_dev', 'AKIDEVELOPMENTMODE00');

-- One row as soon as the database is an operator's: development mode then keeps away from it.
create table operated (
  only_row boolean primary key default true check (only_row),
  since timestamptz not null
);
-- Credentials, but none of development mode: an operator made them before this table was here.
insert into operated (since)
  select min(created_at) from credentials having count(*) > 0 and not bool_or(development);
