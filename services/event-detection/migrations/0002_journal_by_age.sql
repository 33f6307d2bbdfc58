-- Where old entries were deleted there is room for new ones, side by side with the rest: a range of pages then holds every
-- age, and an index by ranges finds nothing.
drop index journal_by_age;
create index journal_by_age on journal (at);

-- A job that is no more: the platform forgets what is old.
delete from icosa.schedules where name = 'event-detection:forget';
