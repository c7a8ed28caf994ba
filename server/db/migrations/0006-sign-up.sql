-- Sessions that begin a subscription (CHK-18), and those that the service itself opens for the link of a subscription that
-- waits for its card (SUB-3): no OAuth client has asked for these, and no shop waits for the payer to return.

alter table checkout_session
  add column subscription jsonb,
  add column subscription_id uuid,
  alter column client_id drop not null,
  alter column success_url drop not null,
  alter column cancel_url drop not null;
comment on column checkout_session.client_id is
  'The OAuth client that created it; null for a session of a subscription''s link.';
comment on column checkout_session.success_url is 'Null for a session of a subscription''s link: the payer stays on the page.';
comment on column checkout_session.cancel_url is 'Null like success_url.';
comment on column checkout_session.subscription is 'Of mode subscription: what the payer signs up for; null otherwise.';
comment on column checkout_session.subscription_id is
  'The subscription that it has begun, set with the approval; for a subscription''s link the one that waits, from the start.';
