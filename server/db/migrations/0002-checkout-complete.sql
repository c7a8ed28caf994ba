-- Saved-card sales, browser tokens, the list of sessions with its search, and what tells credit from debit.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

alter table stored_card add column funding text not null default 'unknown';
alter table stored_card add constraint stored_card_funding check (funding in ('credit', 'debit', 'prepaid', 'unknown'));
comment on constraint stored_card_funding on stored_card is 'Only a card known to be a credit card is ever surcharged.';

alter table operation add column customer_id uuid;
alter table operation add constraint operation_customer foreign key (business_id, customer_id) references customer (business_id, id);
alter table operation add constraint operation_stored_card foreign key (business_id, stored_card_id) references stored_card (business_id, id);
comment on constraint operation_customer on operation is 'A sale on a stored card belongs to the customer of that card.';
comment on constraint operation_stored_card on operation is 'Cards are detached, never deleted, so that a charge can always say what it charged.';
create unique index operation_one_open_sale_a_card on operation (business_id, customer_id, stored_card_id, amount)
  where kind = 'sale' and session_id is null and state in ('SENT', 'IN_DOUBT', 'REVERSING');
comment on index operation_one_open_sale_a_card is
  'Until an identical sale is known to have failed, a second one is refused (PAY-28).';

create table sale_request (
  business_id uuid not null references business (id),
  key text not null,
  body_hash bytea not null,
  operation_id uuid not null,
  answer jsonb,
  created_at timestamptz not null,
  primary key (business_id, key),
  foreign key (business_id, operation_id) references operation (business_id, id)
);
comment on table sale_request is 'Saved-card sales that came with an Idempotency-Key, with the answer they got: the same again gets the same (PAY-27).';
create index sale_request_age on sale_request (created_at);

create table browser_token (
  token_hash bytea primary key,
  business_id uuid not null references business (id),
  client_id uuid not null references oauth_client (id),
  origin text not null,
  uses_left smallint not null,
  amount_max bigint,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  constraint browser_token_uses check (uses_left between 0 and 20)
);
comment on table browser_token is 'Short-lived credentials for a merchant''s page: they create sessions from one origin, and nothing else (ACC-21).';
comment on constraint browser_token_uses on browser_token is 'Counted down in the statement that uses it, so that parallel uses cannot pass the limit.';
create index browser_token_expiry on browser_token (expires_at);

-- Who a session is for, as it is searched: the bound customer's name and address are the customer's, kept here when made.
alter table checkout_session add column search_text text generated always as (
  lower(coalesce(customer_email, '') || ' ' || coalesce(customer_name, ''))
) stored;
create index checkout_session_search on checkout_session using gin (business_id, search_text gin_trgm_ops);
comment on index checkout_session_search is 'A part of a name or an e-mail address finds its sessions without reading the others.';
create index customer_search on customer using gin (business_id, (lower(coalesce(email, '') || ' ' || coalesce(name, ''))) gin_trgm_ops);
comment on index customer_search is 'The same for sessions that the merchant bound to a customer.';
create index checkout_session_customer on checkout_session (business_id, customer_id) where customer_id is not null;

alter table business drop column logo_url;
alter table business add column logo_hash text;
alter table business add column color_scheme text not null default 'auto';
alter table business add constraint business_color_scheme check (color_scheme in ('light', 'dark', 'auto'));
comment on column business.logo_hash is 'SHA-256 of the bytes in business_logo, in hex: the URL of the logo changes with it.';
comment on constraint business_color_scheme on business is 'auto follows the payer''s device.';
create table business_logo (
  business_id uuid primary key references business (id),
  media_type text not null,
  bytes bytea not null,
  constraint business_logo_media_type check (media_type in ('image/png', 'image/jpeg')),
  constraint business_logo_size check (octet_length(bytes) between 1 and 65536)
);
comment on table business_logo is 'The logo that the payment page shows, served from the form''s own origin.';
comment on constraint business_logo_media_type on business_logo is 'Pictures without scripts in them.';
comment on constraint business_logo_size on business_logo is '64 KiB (PAG-33).';

-- Card testing: who tries stolen numbers is seen by what was tried before (SEC-8).
alter table business add column new_cards_refused_until timestamptz;
comment on column business.new_cards_refused_until is 'Set when too many tries decline: until then new cards of addresses that never paid are refused.';
alter table operation add column payer_network text;
comment on column operation.payer_network is 'Address of the payer, an IPv6 one as its /64; only of a payment on a session.';
create index operation_payer on operation (business_id, payer_network, sent_at) where payer_network is not null;
comment on index operation_payer is 'How many cards an address tried, and whether it ever paid.';
create index operation_card_declines on operation (business_id, card_fingerprint, settled_at) where state = 'DECLINED';
comment on index operation_card_declines is 'How often a card was declined, over all sessions.';
-- Time first: an index that begins like a primary key is taken for one while a new table has no statistics, and a lookup by
-- id then reads all rows of the business (measured: a pay took eight times as long).
create index operation_tries on operation (settled_at, business_id, state) where session_id is not null and kind = 'sale';
comment on index operation_tries is 'How many of the last tries of a business were declined.';
