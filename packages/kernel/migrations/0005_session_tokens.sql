-- Temporary access keys count only together with a token, of which the hash is kept.
alter table credentials add column session_token_hash bytea;
