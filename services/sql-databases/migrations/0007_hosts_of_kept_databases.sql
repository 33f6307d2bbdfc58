-- In a transaction of its own, which blocks no writes.
update kept_databases set host = (select system from archives where not ended) where since is not null;
