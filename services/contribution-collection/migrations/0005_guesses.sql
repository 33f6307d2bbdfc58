-- From where somebody has signed in: guesses of strangers do not close the way from there.
alter table login_attempts add column is_welcome boolean not null default false;
