-- A store's name is its address, so no two tenants may have the same one.
create trigger names after insert or delete or update of name_key on stores
  for each row execute function icosa.reserve_name('store', 'name_key');
create trigger names_truncated after truncate on stores for each statement execute function icosa.reserve_name('store');
