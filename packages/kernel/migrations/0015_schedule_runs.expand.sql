-- When a schedule last ran, by this server's clock: what a standstill is noticed by.
alter table schedules add column last_at timestamptz;
