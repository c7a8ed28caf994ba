-- Refunds that a merchant asks for. The operation moves the money; this is what the merchant sees of it.

create type refund_status as enum ('pending', 'succeeded', 'failed');

create table refund (
  business_id uuid not null,
  id uuid not null,
  payment_id uuid not null,
  subscription_id uuid,
  customer_id uuid,
  status refund_status not null,
  amount bigint not null,
  currency text not null,
  failure_reason text,
  receipt_id text,
  created_at timestamptz not null,
  finalized_at timestamptz,
  primary key (business_id, id),
  constraint refund_amount check (amount > 0),
  constraint refund_final check ((status = 'pending') = (finalized_at is null)),
  constraint refund_failure check ((status = 'failed') = (failure_reason is not null)),
  constraint refund_receipt check ((status = 'succeeded') = (receipt_id is not null))
);
comment on table refund is
  'What a merchant gives back of a payment. Its id is that of its operation, and its amount is reserved on the payment while it is pending (REF-2).';
comment on column refund.subscription_id is 'Of the payment; null when that is not of a subscription.';
comment on column refund.customer_id is 'Of the payment.';
comment on column refund.receipt_id is 'The number on the receipt of an approved refund.';
comment on constraint refund_amount on refund is 'A refund gives something back.';
comment on constraint refund_final on refund is 'Only an open one has no end.';
comment on constraint refund_failure on refund is 'A failed one says why, and no other.';
comment on constraint refund_receipt on refund is 'An approved one has a receipt, and no other.';
create index refund_newest on refund (business_id, created_at desc, id desc);
create index refund_of_payment on refund (business_id, payment_id, created_at desc, id desc);
create trigger refund_stays before delete or truncate or update of business_id, id on refund execute function refuse_key_loss();

comment on column operation.parent_id is 'The sale that a reversal, a void or a refund gives back.';
comment on column operation.open_reversal_of is
  'parent_id while this reversal, void or refund is sent or in doubt.';
comment on constraint operation_parent on operation is
  'A reversal, a void and a refund have their sale, and a sale stands alone.';
comment on index operation_one_reversal is
  'One open reversal, void or refund of a sale: two that race would refund too much (REF-3).';
