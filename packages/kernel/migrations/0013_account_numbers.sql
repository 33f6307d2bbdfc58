-- The account in an ARN has twelve digits, derived from the tenant's name, where it used to be that name.
create function account_of(tenant text) returns text language sql immutable strict as $$
  select case when tenant ~ '^[0-9]{12}$' then tenant
    else lpad((('x' || left(encode(sha256(convert_to(tenant, 'UTF8')), 'hex'), 15))::bit(60)::bigint
      % 1000000000000)::text, 12, '0') end
$$;

-- An ARN as it is written now: of the tenant's own those with its name in them, in whatever case; all others as they are.
create function current_arn(arn text, tenant text) returns text language sql immutable strict as $$
  select case when arn like 'arn:%' and lower(split_part(arn, ':', 5)) = lower(tenant)
    then array_to_string((string_to_array(arn, ':'))[1:4] || icosa.account_of(tenant) || (string_to_array(arn, ':'))[6:], ':')
    else arn end
$$;

update resources set id = current_arn(id, tenant), key = lower(current_arn(id, tenant))
where id like 'arn:%' and id <> current_arn(id, tenant);
