create index concurrently deliveries_in_order on functions.deliveries
  (tenant, project, location, function, ordering_key, position) where ordering_key is not null and failed_at is null;
