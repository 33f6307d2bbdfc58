-- Groups of whatever has a tag at all, and of what belongs to a resource group or stack.
create index resources_by_tag_keys on resources using gin (tags);
create index resources_by_scope on resources (tenant, lower(scope), key) where scope is not null;
