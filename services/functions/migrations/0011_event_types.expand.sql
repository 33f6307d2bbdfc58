-- A function with a trigger is a subscriber of its event type. By a trigger, so that restores and resets keep to it.
create function functions.subscribe() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from icosa.event_subscriptions where tenant = old.tenant and service = 'functions'
      and subscriber = concat_ws('/', old.subscription_key, old.location, old.name_key);
  end if;
  if tg_op <> 'DELETE' and new.state <> 'DELETING' and new.desired #>> '{eventTrigger,eventType}' is not null then
    insert into icosa.event_subscriptions (tenant, service, subscriber, type)
    values (new.tenant, 'functions', concat_ws('/', new.subscription_key, new.location, new.name_key),
      new.desired #>> '{eventTrigger,eventType}');
  end if;
  return null;
end $$;
create trigger event_subscriptions after insert or delete or update of desired, state on functions
  for each row execute function functions.subscribe();

-- Deliveries of one function with one key are attempted in the order of their positions.
alter table deliveries add column ordering_key text;
alter table deliveries add column position integer;
alter table messages add column ordering_key text;
