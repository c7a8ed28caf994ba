-- What the lists of the dashboard count by is in an index that is there already, so that a count of ten thousand reads a hundred
-- pages of it and none of the table. None of these is written more often than before: a sale that is declined writes
-- operation_lost once, with everything that is included; a payment never changes its trigger; and the status of a subscription is in
-- an index of its own.

drop index operation_lost;
create index operation_lost on operation (business_id, id)
  include (declined_at, card_brand, currency, owner_kind, amount)
  where lost and parent_id is null;
comment on index operation_lost is 'Sales that took no money, newest first.';

drop index payment_of_subscription;
create index payment_of_subscription on payment (business_id, subscription_id, created_at desc, id desc)
  include (trigger)
  where subscription_id is not null;

drop index subscription_of_customer;
create index subscription_of_customer on subscription (business_id, customer_id, created_at desc, id desc)
  include (status);
