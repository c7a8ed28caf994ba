-- The search finds subscriptions by a part of their reference, and contracts by a part of their title or of who signed. An index
-- on the subscriptions would be written with each of their bills, so the references have a table of their own; a bill does not
-- change the metadata, so it does not run the triggers either.

create table subscription_reference (
  business_id uuid not null,
  subscription_id uuid not null,
  reference text not null,
  primary key (business_id, subscription_id)
);
comment on table subscription_reference is
  'metadata.reference of each subscription that has one, in lower case. The triggers of subscription write it.';
create index subscription_reference_search on subscription_reference using gin (business_id, reference gin_trgm_ops);

create function note_subscription_reference() returns trigger language plpgsql as $$
begin
  if new.metadata ? 'reference' then
    insert into subscription_reference (business_id, subscription_id, reference)
      values (new.business_id, new.id, lower(new.metadata ->> 'reference'))
      on conflict (business_id, subscription_id) do update set reference = excluded.reference;
  else
    delete from subscription_reference where business_id = new.business_id and subscription_id = new.id;
  end if;
  return null;
end $$;
create trigger subscription_referenced after insert on subscription
  for each row when (new.metadata ? 'reference') execute function note_subscription_reference();
create trigger subscription_reference_changed after update of metadata on subscription
  for each row when (old.metadata ->> 'reference' is distinct from new.metadata ->> 'reference')
  execute function note_subscription_reference();

insert into subscription_reference (business_id, subscription_id, reference)
  select business_id, id, lower(metadata ->> 'reference') from subscription where metadata ? 'reference';

create index contract_search on contract
  using gin (business_id, (lower(title || ' ' || coalesce(signed_name, ''))) gin_trgm_ops);
comment on index contract_search is 'Contracts change a few times at most: a draft, sent, signed.';
