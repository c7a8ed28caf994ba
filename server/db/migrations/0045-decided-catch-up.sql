-- The merchant decides about missed dates once, while they are billed one after another, each perhaps for days.

alter table subscription add column catch_up_through date;
comment on column subscription.catch_up_through is
  'Missed dates up to it were decided by the merchant and are not held again (BIL-11); null before any decision.';
