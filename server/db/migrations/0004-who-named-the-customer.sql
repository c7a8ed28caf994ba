-- Who said whose payment a session is; what a payer typed; and tries with a card that never reached a gateway.

-- The default is the careful one: a session that an older process inserts while this version starts saves no cards.
alter table checkout_session add column customer_named_by text not null default 'payer';
alter table checkout_session add constraint checkout_session_customer_named_by
  check (customer_named_by in ('merchant', 'payer')) not valid;
alter table checkout_session add column payer_name text;
alter table checkout_session add column payer_email text;
alter table checkout_session add column payer_phone text;
comment on column checkout_session.customer_named_by is
  'merchant: by its server, with an access token or a browser token bound to the customer. payer: customer_email was typed in a page, and identifies nobody.';
comment on constraint checkout_session_customer_named_by on checkout_session is
  'Only for a customer whom the merchant named are cards saved, or shown.';
comment on column checkout_session.payer_email is 'Typed on the payment form, like payer_name and payer_phone: whom the payment is booked to, unless the merchant named somebody.';
comment on column checkout_session.payer_customer_id is 'Whom the payment was booked to; set with the approval.';

alter table browser_token add column customer_id uuid;
alter table browser_token add column customer_email text;
alter table browser_token add constraint browser_token_customer
  foreign key (business_id, customer_id) references customer (business_id, id) not valid;
comment on column browser_token.customer_email is 'Sessions made with the token get this and customer_id, whatever the page says.';
comment on constraint browser_token_customer on browser_token is 'The merchant''s server named a customer that exists.';

create table refused_card_try (
  business_id uuid not null,
  id uuid not null,
  payer_network text not null,
  card_fingerprint bytea not null,
  tried_at timestamptz not null,
  primary key (business_id, id)
);
comment on table refused_card_try is
  'Cards that were refused before a charge because the customer has them already (duplicate_card). They count for the limits on card testing, and are deleted once those no longer look back at them.';
create index refused_card_try_payer on refused_card_try (business_id, payer_network, tried_at);
create index refused_card_try_card on refused_card_try (business_id, card_fingerprint, tried_at);
create index refused_card_try_age on refused_card_try (tried_at);
