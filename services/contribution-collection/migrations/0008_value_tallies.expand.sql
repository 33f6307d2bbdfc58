-- Tallies of a country, of a kind of files, and of whether there is a place. Their changes are rows of their own: nodes of the
-- last version take the others away without counting for these.
create table value_changes (like tally_changes including all);

create function note_values() returns trigger language plpgsql as $$
begin
  insert into contribution_collection.value_changes (tenant, change, assignment, owner, author, country, created_at,
    cell, cell_precision, media_types)
  select tenant, change, assignment, owner, author, country, created_at, cell, cell_precision, media_types from added;
  return null;
end $$;

-- Whoever is about to publish waits for this lock, and is noted then; who has published is found below.
create trigger noted after insert on tally_changes
  referencing new table as added for each statement execute function note_values();

insert into value_changes (tenant, change, assignment, owner, author, country, created_at, cell, cell_precision,
  media_types)
select tenant, 1, assignment, owner, author, country, created_at, cell, cell_precision, media_types
from contributions where is_public;
