-- What goes with age is found by its age.
create index usage_by_age on usage (month);
create index hosts_by_age on hosts (until);
