-- What is rare among payments has an index of its own, for the filters of their list. A payment of a checkout session in US
-- dollars with Visa or Mastercard writes none of them, nor does its approval.

alter table operation add column lost_code text;
comment on column operation.lost_code is
  'The code of a sale that took no money, for an index: an approval sets code too, and its update would not be HOT.';
update operation set lost_code = code where lost and parent_id is null and code is not null;
create index operation_lost_code on operation (business_id, lost_code, id) where lost_code is not null and parent_id is null;

create index operation_foreign_currency on operation (business_id, currency, id) where parent_id is null and currency <> 'USD';
create index operation_rare_brand on operation (business_id, card_brand, id)
  where parent_id is null and card_brand not in ('visa', 'mastercard');
create index operation_rare_kind on operation (business_id, owner_kind, id) where parent_id is null and owner_kind <> 'session';
comment on index operation_rare_kind is 'Bills and the other charges of subscriptions, and sales on saved cards.';

create index payment_given_back_as on payment (business_id, status, operation_id)
  where status in ('refunded', 'voided') or refunded_amount > 0;
comment on index payment_given_back_as is 'A filter by one of the statuses counts without reading payments.';
drop index payment_given_back;
create index payment_rare_trigger on payment (business_id, trigger, operation_id) where trigger <> 'scheduled';

create index checkout_session_canceled on checkout_session (business_id, created_at desc, id desc) where canceled_at is not null;
create index checkout_session_failed on checkout_session (business_id, created_at desc, id desc) where failed_at is not null;
create index checkout_session_rare_mode on checkout_session (business_id, created_at desc, id desc) where mode <> 'payment';
comment on index checkout_session_rare_mode is 'Sign-ups for subscriptions.';
