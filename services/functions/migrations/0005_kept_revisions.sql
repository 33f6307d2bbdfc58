-- Those that are to have instances at all times are few.
create index revisions_kept on functions.revisions (tenant, id)
  where (desired #>> '{serviceConfig,minInstanceCount}')::int > 0;
