-- What the merchant's lists and the search of payments read by. A sale is written with two indexes more, and so is a payment.

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

alter table dashboard_request add column object_id uuid;
comment on column dashboard_request.object_id is
  'The id of what the call makes, chosen before it begins: by it the outcome is found when the response was lost.';
