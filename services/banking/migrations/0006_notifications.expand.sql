-- Whether the event was shown on the phone of its user.
alter table events add column pushed boolean not null default false;
-- Addresses of `permitted_ips` from which requests are refused for now; an address keeps its place in the list.
alter table devices add column inactive_ips text[] not null default '{}';
