-- How far each business's customers have been notified of what is to come (LTR-18, LTR-19).

create table notice_progress (
  business_id uuid primary key,
  renewals_until timestamptz,
  renewals_after uuid,
  expiry_month text,
  cards_after uuid
);
comment on table notice_progress is
  'Where the notices of a business stand. Its row is locked by the transaction that records notices and moves it, so each is recorded once.';
comment on column notice_progress.renewals_until is
  'Subscriptions that are due by then, and of those at this instant the ones up to renewals_after, have been looked at. In the time of the business.';
comment on column notice_progress.expiry_month is 'YYYY-MM: cards that expire in it, up to cards_after, have been looked at.';
comment on column notice_progress.cards_after is 'Null when all cards were.';
