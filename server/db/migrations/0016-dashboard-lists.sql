-- What the dashboard's lists and its search read by. A sale is written with two indexes more, and so is a payment.

create index operation_of_card on operation (business_id, card_last4, id) where card_last4 is not null;
create index operation_of_amount on operation (business_id, amount, id) where parent_id is null;
create index payment_of_customer on payment (business_id, customer_id, operation_id) where customer_id is not null;
create index payment_of_receipt on payment (business_id, receipt_id);

-- What is rare has an index of its own, which an approval does not write.
create index operation_lost on operation (business_id, id) where lost and parent_id is null;
comment on index operation_lost is 'Sales that took no money, newest first.';
create index operation_lost_of_customer on operation (business_id, customer_id, id)
  where lost and parent_id is null and customer_id is not null;
create index payment_given_back on payment (business_id, operation_id)
  where status in ('refunded', 'voided') or refunded_amount > 0;
create index refund_of_receipt on refund (business_id, receipt_id) where receipt_id is not null;
create index letter_of_object on letter (business_id, object_id, id) where object_id is not null;
create index audit_entry_money on audit_entry (business_id, actor_id, created_at)
  where action in ('payment.refund', 'payment.void');
comment on index audit_entry_money is 'What a person gave back in a day (DSH-34).';

create index webhook_delivery_unsuccessful on webhook_delivery (business_id, endpoint_id, event_id)
  where status in ('failed', 'canceled');
comment on index webhook_delivery_unsuccessful is
  'Finds what did not arrive among deliveries that did. A delivery that succeeds never enters it.';

create index subscription_of_reference on subscription (business_id, lower(metadata ->> 'reference') text_pattern_ops)
  where metadata ? 'reference';
comment on index subscription_of_reference is 'The list filters by the beginning of a reference. Written only where the metadata has one.';

create index subscription_held on subscription (business_id, catch_up_held_at) where catch_up_held_at is not null;
comment on index subscription_held is 'Missed bills that wait for the merchant (BIL-11), which home asks for every minute.';

create index letter_to_customer on letter (business_id, recipient, id desc) where audience = 'customer';
comment on index letter_to_customer is 'The page of a customer lists the letters that went to their address.';
create index contract_of_customer on contract (business_id, customer_id, created_at desc, id desc);
