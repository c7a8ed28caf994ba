-- Recurring billing: subscriptions, their bills and pauses, and what a payment of a subscription has beyond others.
--
-- Like the rows of a payment, those that every bill writes (subscription, bill) have no foreign keys and few checks; their
-- parents refuse to go, and each child is made from the row of its parent, which the same statement has locked or compared.

-- What the merchant asks for. A reversal, by contrast, is the service's own.
alter type operation_kind add value 'void';
alter type operation_kind add value 'refund';
-- The first charge of a subscription that does not exist yet, and the charge that ends a pause.
alter type charge_owner_kind add value 'subscription_start';
alter type charge_owner_kind add value 'subscription_resume';

create type subscription_status as enum ('pending_payment_method', 'active', 'paused', 'completed', 'canceled');
create type bill_status as enum ('PENDING', 'FULFILLED', 'CLOSED');
create type bill_closed_reason as enum (
  'exhausted', 'do_not_retry', 'paused', 'canceled', 'card_detached', 'skipped'
);
create type payment_trigger as enum ('initial', 'scheduled', 'retry', 'manual', 'resume');
create type pause_status as enum ('pending', 'active', 'resumed', 'canceled', 'ended');

alter table business
  add column first_charge text not null default 'on_start_date',
  add column after_last_retry text not null default 'keep',
  add column surcharge_rounding text not null default 'half_up',
  add column batch_close_time text,
  add constraint business_first_charge check (first_charge in ('on_start_date', 'at_create')),
  add constraint business_after_last_retry check (after_last_retry in ('keep', 'pause', 'cancel')),
  add constraint business_surcharge_rounding check (surcharge_rounding in ('half_up', 'down')),
  add constraint business_batch_close_time check (batch_close_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$');
comment on column business.first_charge is 'When a subscription with a future start is first charged (SUB-2).';
comment on column business.after_last_retry is 'What happens to a subscription whose bill is exhausted (BIL-23).';
comment on column business.surcharge_rounding is 'down keeps a strict cap on the surcharge of bills (BIL-14).';
comment on column business.batch_close_time is 'Local time, HH:MM, at which the open batches are settled each day; null: by hand only (REF-17).';
comment on constraint business_first_charge on business is 'The words that the code knows.';
comment on constraint business_after_last_retry on business is 'The words that the code knows.';
comment on constraint business_surcharge_rounding on business is 'The words that the code knows.';
comment on constraint business_batch_close_time on business is 'A time of day, hours and minutes.';

alter table stored_card add column charge_block text;
comment on column stored_card.charge_block is
  'The result code (NC) that forbids charges without the payer; null when the card may be charged (BIL-20).';

create table subscription (
  business_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  stored_card_id uuid,
  status subscription_status not null,
  currency text not null,
  time_zone text not null,
  items jsonb not null,
  interval_unit text not null,
  interval_count smallint not null,
  unit_amount bigint not null,
  quantity integer not null,
  tax_rate_ppm integer,
  tax_amount bigint not null,
  surcharge_rate_ppm integer,
  surcharge_amount bigint not null,
  amount bigint not null,
  installments integer,
  paid_bills integer not null default 0,
  start_date date not null,
  anchor_date date not null,
  segment_no integer not null default 0,
  next_period_no integer not null default 0,
  next_billing_date date,
  current_period_start date,
  current_period_end date,
  paid_through_at timestamptz,
  covering_payment_id uuid,
  covering_from timestamptz,
  covering_seconds bigint,
  last_payment_at timestamptz,
  latest_payment_id uuid,
  last_failed_attempt_at timestamptz,
  catch_up_held_at timestamptz,
  cancel_at timestamptz,
  canceled_at timestamptz,
  ended_at timestamptz,
  cancellation_comment text,
  cancellation_reason text,
  contract_id uuid,
  checkout_session_id uuid,
  sends_payment_link boolean not null default false,
  metadata jsonb not null default '{}',
  due_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null,
  primary key (business_id, id),
  constraint subscription_amount check (amount between 1 and 99999999),
  constraint subscription_installments check (paid_bills <= installments)
) with (fillfactor = 80);
comment on table subscription is
  'Charges a stored card on a schedule. All instants are in the time of the business, which its test clock may move ahead.';
comment on column subscription.time_zone is 'That of the business when it was made: billing days are days there (BIL-2).';
comment on column subscription.items is 'An array of {id, price, quantity}; price is the id. Prices never change in amount or cadence.';
comment on column subscription.unit_amount is 'Of the only item; with several items the sum of all, and quantity is 1.';
comment on column subscription.tax_rate_ppm is 'Millionths: 13 % is 130000. Null when none was given.';
comment on column subscription.surcharge_rate_ppm is 'Millionths: 2.4 % is 24000. Null when none was given.';
comment on column subscription.amount is 'Of each bill: base, tax and surcharge.';
comment on column subscription.paid_bills is 'Approved bills; a refund or a void does not lower it (BIL-25).';
comment on column subscription.anchor_date is 'Date 0 of the current segment: each date is computed from it, never from the date before (BIL-6).';
comment on column subscription.segment_no is 'Raised when a resume from today opens a new schedule (BIL-7).';
comment on column subscription.next_period_no is 'The period of the segment that is billed next.';
comment on column subscription.next_billing_date is 'Its first day; null when nothing is billed any more or yet.';
comment on column subscription.current_period_start is 'Of the running period, paid or not; null before the first.';
comment on column subscription.paid_through_at is 'End of the paid time, exclusive.';
comment on column subscription.covering_payment_id is 'The payment that paid the time up to paid_through_at; null when that was voided.';
comment on column subscription.covering_from is 'Start of the time that covering_payment_id paid, as it is served now.';
comment on column subscription.covering_seconds is 'How much time that payment bought; more than is left of it after a pause.';
comment on column subscription.catch_up_held_at is
  'Set when too much was missed to be billed without the merchant (BIL-11); null otherwise.';
comment on column subscription.cancel_at is 'When a scheduled cancel takes effect; null without one.';
comment on column subscription.due_at is
  'When the scheduler must look at it next: a bill, a retry, a scheduled pause or cancel, or the end of its lease on a charge that runs.';
comment on column subscription.version is 'Raised by every change: a writer with an older one changes nothing and reads anew.';
comment on constraint subscription_amount on subscription is 'The limits of any charge (CHK-9).';
comment on constraint subscription_installments on subscription is 'A plan never takes one installment more (BIL-26).';
create index subscription_due on subscription (due_at, business_id) where due_at is not null;
comment on index subscription_due is 'What a run of the scheduler costs follows what is due, not what exists.';
create index subscription_newest on subscription (business_id, created_at desc, id desc);
create index subscription_newest_status on subscription (business_id, status, created_at desc, id desc);
create index subscription_of_customer on subscription (business_id, customer_id, created_at desc, id desc);
create index subscription_of_card on subscription (business_id, stored_card_id) where stored_card_id is not null;
create index subscription_of_session on subscription (business_id, checkout_session_id) where checkout_session_id is not null;
create trigger subscription_stays before delete or truncate or update of business_id, id on subscription
  execute function refuse_key_loss();

create table bill (
  business_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  segment_no integer not null,
  period_no integer not null,
  period_start date not null,
  period_end date not null,
  status bill_status not null,
  closed_reason bill_closed_reason,
  failed_attempts smallint not null default 0,
  next_attempt_at timestamptz,
  last_attempt_at timestamptz,
  payment_id uuid,
  created_at timestamptz not null,
  closed_at timestamptz,
  primary key (business_id, id),
  constraint bill_once unique (business_id, subscription_id, segment_no, period_no),
  constraint bill_attempts check (failed_attempts between 0 and 4)
) with (fillfactor = 80);
comment on table bill is
  'One period of a subscription that is to be paid: the entry of the billing queue. PENDING until it is paid (FULFILLED) or ends unpaid (CLOSED).';
comment on column bill.period_no is 'k of the segment: the period from date k to date k + 1.';
comment on column bill.next_attempt_at is 'Of a PENDING one: when its card is charged next.';
comment on column bill.payment_id is 'The payment that fulfilled it.';
comment on constraint bill_once on bill is 'A period is billed once, whoever schedules it (BIL-9).';
comment on constraint bill_attempts on bill is 'Four attempts (BIL-17).';
create unique index bill_one_open on bill (business_id, subscription_id) where status = 'PENDING';
comment on index bill_one_open is 'A subscription has one open bill at a time (BIL-9).';
create trigger bill_stays before delete or truncate or update of business_id, id on bill execute function refuse_key_loss();

create table subscription_pause (
  business_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  status pause_status not null,
  mode text not null,
  reason text,
  unused_time_behavior text,
  scheduled_for timestamptz,
  paused_at timestamptz,
  paid_through_at timestamptz,
  remaining_paid_seconds bigint,
  refund_confirmed boolean not null default false,
  refund_reference text,
  refund_note text,
  resume_mode text,
  resumed_at timestamptz,
  created_at timestamptz not null,
  primary key (business_id, id),
  constraint subscription_pause_mode check (mode in ('immediate', 'period_end')),
  constraint subscription_pause_unused check (unused_time_behavior in ('preserve_time', 'external_refund')),
  constraint subscription_pause_resume check (resume_mode in ('from_today', 'original_schedule'))
);
comment on table subscription_pause is 'A pause of a subscription, scheduled or taken, and what becomes of the paid time.';
comment on column subscription_pause.paused_at is 'When billing stopped: the request, or the boundary of a scheduled pause; null until then.';
comment on column subscription_pause.remaining_paid_seconds is 'Paid time that was left at paused_at, frozen (SUB-22).';
comment on constraint subscription_pause_mode on subscription_pause is 'The words of the API (SUB-14).';
comment on constraint subscription_pause_unused on subscription_pause is 'The words of the API (SUB-15).';
comment on constraint subscription_pause_resume on subscription_pause is 'The words of the API (SUB-30).';
create unique index subscription_pause_one_unresolved on subscription_pause (business_id, subscription_id)
  where status in ('pending', 'active');
comment on index subscription_pause_one_unresolved is 'A subscription has one unresolved pause at a time.';
create trigger subscription_pause_stays before delete or truncate or update of business_id, id on subscription_pause
  execute function refuse_key_loss();

create table subscription_start (
  business_id uuid not null,
  request_hash bytea not null,
  operation_id uuid not null,
  created_at timestamptz not null,
  primary key (business_id, request_hash)
);
comment on table subscription_start is
  'The latest first charge for each combination of customer, items and payment method: while it is open, an identical create is refused (SUB-5).';
create index subscription_start_age on subscription_start (created_at);

create table resume_request (
  business_id uuid not null,
  subscription_id uuid not null,
  key text not null,
  body_hash bytea not null,
  status smallint,
  response jsonb,
  created_at timestamptz not null,
  primary key (business_id, subscription_id, key)
);
comment on table resume_request is
  'Resumes that came with an idempotency key, with the response they got: the same request gets the same response (SUB-32).';
comment on column resume_request.key is 'Hash of the key, into which a merchant may write anything.';
comment on column resume_request.status is 'HTTP status of the response; null while the resume runs.';
create index resume_request_age on resume_request (created_at);

alter table payment
  alter column issuer_reference drop not null,
  add column subscription_id uuid,
  add column bill_id uuid,
  add column trigger payment_trigger,
  add column attempt smallint,
  add column tax_amount bigint,
  add column period_start date,
  add column period_end date,
  add column next_retry_at timestamptz,
  add column terminal_id uuid,
  add column batch_id uuid;
comment on table payment is
  'Money that was taken: one row for each approved sale. Of a subscription also each declined attempt, as failed.';
comment on column payment.issuer_reference is 'Null for a failed one.';
comment on column payment.trigger is 'Why a subscription was charged; null for other payments, as are the next six columns.';
comment on column payment.attempt is 'Counts the attempts of a bill from 1.';
comment on column payment.next_retry_at is 'Of a failed one: when the bill is tried again, as it was planned then.';
comment on column payment.terminal_id is 'The terminal of its sale: batches belong to a terminal.';
comment on column payment.batch_id is 'The batch that it was settled with, or that holds it; null while it is in none.';
create index payment_of_subscription on payment (business_id, subscription_id, created_at desc, id desc)
  where subscription_id is not null;
