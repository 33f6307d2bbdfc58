-- Members are known by the keys of the platform's registry, in which accounts have numbers now.
update members set resource_key = icosa.current_arn(resource_key, tenant)
where resource_key <> icosa.current_arn(resource_key, tenant);
update seen set resource_key = icosa.current_arn(resource_key, tenant), id = icosa.current_arn(id, tenant)
where id <> icosa.current_arn(id, tenant);
