-- Batches: what a terminal has moved since its last settlement, and the settlements.

create type batch_status as enum ('open', 'settling', 'settled');

create table batch (
  business_id uuid not null,
  id uuid not null,
  terminal_id uuid not null,
  number integer not null,
  status batch_status not null,
  currency text not null,
  after_payment_id uuid not null,
  gateway_batch text,
  epoch integer not null default 1,
  sent_at timestamptz,
  deadline_at timestamptz,
  next_inquiry_at timestamptz,
  open_since timestamptz,
  needs_attention boolean not null default false,
  failed_at timestamptz,
  close_checked_at timestamptz,
  settled_at timestamptz,
  recorded_at timestamptz,
  settlement_reference text,
  totals jsonb,
  created_at timestamptz not null,
  primary key (business_id, id),
  constraint batch_number unique (business_id, terminal_id, number),
  constraint batch_settled check (
    (status = 'settled') = (settled_at is not null and recorded_at is not null and totals is not null)
  )
);
comment on table batch is
  'What a terminal has moved since its last settlement. Payments and refunds join it when it is settled: batch_id is null until then (REF-13).';
comment on column batch.number is 'Counts the batches of a terminal from 1.';
comment on column batch.after_payment_id is
  'Payments with smaller ids are in earlier batches: ids are ordered by time, and this one is some minutes before the last settlement.';
comment on column batch.gateway_batch is
  'The gateway''s name of the batch, noted before it is asked to settle it: it tells which batch a payment was in, and that a settlement is not repeated on the next one.';
comment on column batch.epoch is 'Who owns the outcome of a settlement: a writer with an older number is too late (PAY-6).';
comment on column batch.sent_at is 'When the last settlement was begun. Real time, as the next columns up to failed_at.';
comment on column batch.next_inquiry_at is 'When recovery next inquires; set while the outcome of a settlement is unknown.';
comment on column batch.open_since is 'When the gateway first said that the batch is still open; final only some time later.';
comment on column batch.needs_attention is 'A day of inquiries is over: a person must look.';
comment on column batch.failed_at is 'When the last settlement failed; the daily one is not tried again at once.';
comment on column batch.close_checked_at is
  'The daily close for which it was found to be empty: it is not settled for that day. In the time of the business.';
comment on column batch.settled_at is 'In the time of the business.';
comment on column batch.recorded_at is 'The same in real time: a sale sent before may be in this batch, and recorded after.';
comment on column batch.totals is 'As the gateway settled them.';
comment on constraint batch_number on batch is 'Two processes that open a batch open one.';
comment on constraint batch_settled on batch is 'A settled one says when, and what.';
create unique index batch_one_open on batch (business_id, terminal_id) where status <> 'settled';
comment on index batch_one_open is 'A terminal has one batch that is not settled.';
create index batch_newest on batch (business_id, created_at desc, id desc);
create index batch_settling on batch (sent_at) where status = 'settling';
create index batch_of_gateway on batch (business_id, terminal_id, gateway_batch) where gateway_batch is not null;
create trigger batch_stays before delete or truncate or update of business_id, id on batch execute function refuse_key_loss();

alter table refund add column batch_id uuid;
comment on column refund.batch_id is 'The batch that it was settled with; null until then, and of one that failed.';
create index refund_unsettled on refund (business_id, id) where batch_id is null and status = 'succeeded';
comment on index refund_unsettled is 'What the next settlement takes.';

-- A payment is inserted without a batch, so that it writes no entry here; its settlement does.
create index payment_of_batch on payment (business_id, batch_id, created_at desc, id desc) where batch_id is not null;
comment on column payment.batch_id is 'The batch that it was settled with; null until its settlement begins.';
