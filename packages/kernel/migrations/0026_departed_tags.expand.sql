-- Tag of a tenant that has left: requests name it by its tag after its credentials are deleted here.
alter table tenant_states add column tag text;
