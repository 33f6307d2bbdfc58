-- Callers of a function know only its address.
create trigger names after insert or delete or update of address on functions
  for each row execute function icosa.reserve_name('function', 'address');
create trigger names_truncated after truncate on functions for each statement execute function icosa.reserve_name('function');
