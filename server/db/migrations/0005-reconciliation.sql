-- The gateway's list compared with ours, both ways, a terminal and a day at a time.

create table reconciliation (
  business_id uuid not null,
  terminal_id uuid not null,
  day date not null,
  listed_at timestamptz,
  completed_at timestamptz,
  transactions integer,
  failed_at timestamptz,
  failure text,
  leased_until timestamptz,
  primary key (business_id, terminal_id, day),
  foreign key (business_id, terminal_id) references terminal (business_id, id),
  constraint reconciliation_completed check ((completed_at is null) = (listed_at is null))
);
comment on table reconciliation is 'A day (UTC) of a terminal, and how far it was compared with the gateway''s list.';
comment on column reconciliation.listed_at is 'When the last comparison that went through began to read the list; null when none did yet.';
comment on column reconciliation.failure is 'Why the comparison at failed_at did not go through; a failed one reports nothing as missing and is tried again.';
comment on column reconciliation.leased_until is 'A comparison is running. Another process may begin one after it.';
comment on constraint reconciliation_completed on reconciliation is 'Both are of the last comparison that went through.';
create index reconciliation_failed on reconciliation (failed_at) where failed_at is not null;

create table reconciliation_finding (
  business_id uuid not null,
  id uuid not null,
  terminal_id uuid not null,
  day date not null,
  kind text not null,
  subject text not null,
  transaction_kind text not null,
  operation_id uuid,
  merchant_ref text not null,
  gateway_ref text,
  our_state text,
  our_amount bigint,
  gateway_state text,
  gateway_amount bigint,
  currency text not null,
  state text not null default 'OPEN',
  found_at timestamptz not null,
  seen_at timestamptz not null,
  resolved_at timestamptz,
  resolved_by text,
  note text,
  primary key (business_id, id),
  foreign key (business_id, terminal_id) references terminal (business_id, id),
  foreign key (business_id, operation_id) references operation (business_id, id),
  constraint reconciliation_finding_once unique (business_id, terminal_id, kind, subject),
  constraint reconciliation_finding_kind check (
    kind in ('unknown_transaction', 'missing_transaction', 'state_differs', 'amount_differs', 'duplicate_transaction')
  ),
  constraint reconciliation_finding_transaction check (transaction_kind in ('sale', 'refund')),
  constraint reconciliation_finding_state check (
    (state = 'OPEN' and resolved_at is null and resolved_by is null)
    or (state = 'RESOLVED' and resolved_at is not null and resolved_by in ('comparison', 'person'))
  ),
  constraint reconciliation_finding_note check (resolved_by is distinct from 'person' or note is not null)
);
comment on table reconciliation_finding is 'A difference between the gateway''s list and ours. Kept when it is resolved: it says what happened.';
comment on column reconciliation_finding.day is 'The day of the list that has it: by the gateway''s clock, or by ours when the gateway has nothing.';
comment on column reconciliation_finding.subject is 'What it is about: the gateway''s reference, or our operation when the gateway has none.';
comment on column reconciliation_finding.seen_at is 'When a comparison last found it.';
comment on column reconciliation_finding.resolved_by is 'A later comparison that did not find it any more, or a person.';
comment on constraint reconciliation_finding_once on reconciliation_finding is 'However often a day is compared, a difference is one row.';
comment on constraint reconciliation_finding_kind on reconciliation_finding is 'The kinds of server/payments/reconciliation/finding.ts.';
comment on constraint reconciliation_finding_transaction on reconciliation_finding is 'What a gateway lists; a void shows in the state of its sale.';
comment on constraint reconciliation_finding_state on reconciliation_finding is 'A resolved finding says when and by whom.';
comment on constraint reconciliation_finding_note on reconciliation_finding is 'A person says why.';
create index reconciliation_finding_open on reconciliation_finding (kind) where state = 'OPEN';
create index reconciliation_finding_newest on reconciliation_finding (business_id, found_at desc, id desc);

create unlogged table reconciliation_listed (
  run_id uuid not null,
  operation_id uuid not null,
  created_at timestamptz not null,
  primary key (run_id, operation_id)
);
comment on table reconciliation_listed is
  'Which of our operations one comparison has met in the gateway''s list, so that a day of any length fits in memory. Emptied when it ends; unlogged, because what a crash empties is confirmed by an inquiry before it counts.';

create index operation_sent on operation using brin (sent_at) with (pages_per_range = 16, autosummarize = on);
comment on index operation_sent is 'The operations of a day. A block range index costs a payment nothing that can be measured.';
create index operation_of_parent on operation (business_id, parent_id) where parent_id is not null;
comment on index operation_of_parent is 'What undid a sale. Sales are not in it, so that a payment does not write it.';
