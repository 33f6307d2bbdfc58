-- A user signs in without naming a tenant, so no two tenants may have the same name.
create trigger names after insert or delete or update of username on logins
  for each row execute function icosa.reserve_name('login', 'username');
create trigger names_truncated after truncate on logins for each statement execute function icosa.reserve_name('login');
