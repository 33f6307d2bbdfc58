-- When the settings of automatic backups were last changed: a window that was missed before counts for nothing.
alter table machines add column backups_set_at timestamptz;
