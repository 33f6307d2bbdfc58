-- Callers with a PIN name only the module's id.
create trigger names after insert or delete or update of id on modules
  for each row execute function icosa.reserve_name('module', 'id');
create trigger names_truncated after truncate on modules for each statement execute function icosa.reserve_name('module');
