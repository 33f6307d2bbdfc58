-- Failures are few among transitions, and are asked for by themselves.
create index journal_failures on journal (tenant, xact, number) where kind = 'failure';
