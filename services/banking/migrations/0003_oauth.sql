-- Which consent of its user a key, and a session that was opened with it, come from. Null for the user's own.
alter table api_keys add column grant_id bigint;
alter table sessions add column grant_id bigint;
