-- A job that is no more: the platform forgets what is old.
delete from icosa.schedules where name = 'job-scheduler:forgetHistory';
