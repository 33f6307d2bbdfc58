-- Lists go from the newest on. What the public sees has indexes of its own: it is what nearly everybody asks for.
create index contributions_newest on contributions (tenant, created_at desc, id desc) where is_public;
create index contributions_newest_of_all on contributions (tenant, created_at desc, id desc);
create index contributions_by_assignment on contributions (tenant, assignment, created_at desc, id desc);
create index contributions_by_author on contributions (tenant, author, created_at desc, id desc);
create index contributions_by_owner on contributions (tenant, owner, created_at desc, id desc);
create index contributions_by_country on contributions (tenant, country, created_at desc, id desc) where country is not null;
create index contributions_by_cell on contributions (tenant, cell) where cell is not null;
create index contributions_by_word on contributions using gin (words) with (fastupdate = off);
create index contributions_by_state on contributions (tenant, state, created_at desc, id desc) where not is_public;
create index contributions_deleted on contributions (tenant, deleted_at) where deleted_at is not null;

-- Along a great circle, in kilometres, on a sphere of the earth's mean radius.
create function distance_km(double precision, double precision, double precision, double precision)
returns double precision language sql immutable parallel safe as $$
  select 2 * 6371.0087714 * asin(sqrt(least(1,
    sin(radians($3 - $1) / 2) ^ 2 + cos(radians($1)) * cos(radians($3)) * sin(radians($4 - $2) / 2) ^ 2)))
$$;
