-- A session whose subscription begins later is complete without a payment: it shows the verification of its card.

alter table checkout_session add column verification jsonb;
comment on column checkout_session.verification is
  'How the card of a subscription that begins later was verified, and the day of its first bill; null otherwise.';
