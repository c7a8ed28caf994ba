-- What the list of subscriptions filters by and a subscription never changes. An index on its row would be written with each of
-- its bills, so the prices have a table of their own; of the frequencies, only unusual ones have an index.

create table subscription_price (
  business_id uuid not null,
  price_id uuid not null,
  created_at timestamptz not null,
  subscription_id uuid not null,
  primary key (business_id, price_id, created_at, subscription_id)
);
comment on table subscription_price is
  'Finds the subscriptions of a price, newest first. Written once, with the subscription, whose items never change.';
comment on column subscription_price.created_at is 'That of the subscription.';
insert into subscription_price (business_id, price_id, created_at, subscription_id)
  select distinct s.business_id, (item ->> 'price')::uuid, s.created_at, s.id
  from subscription s, jsonb_array_elements(s.items) item;

create index subscription_rare_frequency
  on subscription (business_id, interval_unit, interval_count, created_at desc, id desc)
  where interval_unit <> 'month' or interval_count <> 1;
comment on index subscription_rare_frequency is 'Of every frequency but monthly. The bill of a monthly subscription does not write it.';

-- A reference is found by its beginning: by its parts, which many have, it takes a thousand pages. Its job writes the table, so no
-- payment does.
create index session_reference_beginning on session_reference (business_id, left(reference, 64) text_pattern_ops);

-- Two filters of payments that seldom meet are compared in the index. An approval changes nothing of what is included, so it
-- writes none of these.
drop index operation_foreign_currency;
create index operation_foreign_currency on operation (business_id, currency, id)
  include (card_brand, owner_kind, amount, lost, declined_at)
  where parent_id is null and currency <> 'USD';
drop index operation_rare_brand;
create index operation_rare_brand on operation (business_id, card_brand, id)
  include (currency, owner_kind, amount, lost, declined_at)
  where parent_id is null and card_brand not in ('visa', 'mastercard');
drop index operation_rare_kind;
create index operation_rare_kind on operation (business_id, owner_kind, id)
  include (currency, card_brand, amount, lost, declined_at)
  where parent_id is null and owner_kind <> 'session';
comment on index operation_rare_kind is 'Bills and the other charges of subscriptions, and sales on saved cards.';
