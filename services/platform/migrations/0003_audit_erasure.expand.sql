-- The tenant that an operator's act is about, in the platform's own chain.
alter table audit add column subject text not null default '';
-- Random bytes in the hash of a row. They go with its personal fields, so that the hash does not confirm a guess of them.
alter table audit add column salt bytea;
-- Of a row whose personal fields were erased with its tenant: proves, under the key of the chains, all that is left of it.
alter table audit add column erased bytea;
