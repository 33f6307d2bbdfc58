-- What keeps an instance from starting and does not pass by itself; null: nothing, or it may pass.
alter table instances add column obstacle text;
