-- Letters: what people are notified of by e-mail, the letters themselves, and the invoices attached to them.

create table notification (
  business_id uuid not null,
  id uuid not null,
  type text not null,
  event_id uuid,
  data jsonb not null default '{}',
  attempts smallint not null default 0,
  due_at timestamptz,
  created_at timestamptz not null,
  primary key (business_id, id)
);
comment on table notification is
  'A fact that may make letters, recorded in the transaction of the fact (LTR-10). A worker composes its letters; then due_at is null.';
comment on column notification.id is 'Of a fact with an event: the id of that event.';
comment on column notification.type is 'A type of event, or a fact that has none, such as an endpoint that was disabled.';
comment on column notification.due_at is 'When a worker composes the letters; while one does, the end of its lease. Real time.';
comment on column notification.created_at is 'When the fact was. In the time of the business.';
create index notification_due on notification (due_at) where due_at is not null;

create type letter_status as enum ('pending', 'sent', 'kept', 'failed');
create type letter_audience as enum ('customer', 'merchant', 'person');

create table letter (
  business_id uuid not null,
  id uuid not null,
  notification_id uuid not null,
  kind text not null,
  audience letter_audience not null,
  recipient text not null,
  sender_name text not null,
  reply_to text,
  locale text not null,
  subject text not null,
  html text not null,
  body_text text not null,
  invoice_id uuid,
  object_id uuid,
  status letter_status not null,
  attempts smallint not null default 0,
  due_at timestamptz,
  last_error text,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (business_id, id),
  constraint letter_once unique (business_id, notification_id, kind, audience, recipient),
  constraint letter_due check ((status = 'pending') = (due_at is not null))
);
comment on table letter is 'An e-mail to one recipient, as it is sent: every attempt sends the same, with the same Message-ID (LTR-10).';
comment on column letter.kind is 'Which letter: the name of its template.';
comment on column letter.object_id is 'What it is about: a subscription, a payment, a refund, an endpoint.';
comment on column letter.status is 'kept: in staging without a mail server, letters stay in the mailbox (LTR-15).';
comment on column letter.due_at is 'When it is sent next; while a worker sends it, the end of its lease. Real time.';
comment on column letter.created_at is 'In the time of the business.';
comment on column letter.finished_at is 'Real time.';
comment on constraint letter_once on letter is 'Composing a notification twice makes its letters once.';
comment on constraint letter_due on letter is 'What is pending is due some time.';
create index letter_due_first on letter (due_at) where due_at is not null;
create index letter_newest on letter (business_id, id desc);

create table invoice_counter (
  business_id uuid primary key,
  last_number integer not null
);
comment on table invoice_counter is
  'The last number given. It is locked by the transaction that inserts the invoice, so that numbers have no gaps.';

create table invoice (
  business_id uuid not null,
  id uuid not null,
  number integer not null,
  subscription_id uuid not null,
  payment_id uuid,
  data jsonb not null,
  issued_at timestamptz not null,
  primary key (business_id, id),
  constraint invoice_number unique (business_id, number),
  constraint invoice_number_positive check (number > 0)
);
comment on table invoice is 'An invoice as it was issued: data has all that is printed, so a later change of the business changes no invoice (LTR-16).';
comment on column invoice.payment_id is 'The payment it is for; null when it was issued before the first charge.';
comment on column invoice.issued_at is 'In the time of the business.';
comment on constraint invoice_number on invoice is 'Counts the invoices of a business.';
comment on constraint invoice_number_positive on invoice is 'The first is 1.';
create unique index invoice_of_payment on invoice (business_id, payment_id) where payment_id is not null;
comment on index invoice_of_payment is 'A payment has one invoice.';
create unique index invoice_of_subscription on invoice (business_id, subscription_id) where payment_id is null;
comment on index invoice_of_subscription is 'A subscription has one invoice before its first charge.';
create trigger invoice_stays before delete or truncate or update of business_id, id on invoice execute function refuse_key_loss();

alter table customer add column locale text;
comment on column customer.locale is 'The language of the page they last paid on, en, fr-CA or es; null when unknown.';

alter table business
  add column sender_name text,
  add column reply_to text,
  add column notified_emails text[] not null default '{}',
  add column letters_off text[] not null default '{}',
  add column renewal_notice_days integer,
  add column postal_address text,
  add column tax_registrations text,
  add constraint business_renewal_notice check (renewal_notice_days between 1 and 60);
comment on column business.sender_name is 'From whom its letters come; its name unless set.';
comment on column business.reply_to is 'Where replies to its letters go; its support e-mail unless set.';
comment on column business.notified_emails is 'Who receives the merchant''s letters; its support e-mail if empty.';
comment on column business.letters_off is 'Letters that are not sent, as audience and kind: customer.payment_succeeded (LTR-14).';
comment on column business.renewal_notice_days is 'Days before a renewal that the customer gets a letter; null for none.';
comment on column business.postal_address is 'Printed on invoices.';
comment on column business.tax_registrations is 'Printed on invoices, such as GST and QST numbers.';
comment on constraint business_renewal_notice on business is 'At most two months ahead.';
