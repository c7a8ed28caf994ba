-- 3-D Secure (TDS-) and what a business sets about it and about Google Pay.

alter table business
  add column three_ds_above bigint check (three_ds_above >= 0),
  add column google_pay_enabled boolean not null default false,
  add column google_pay_merchant_id text,
  add column google_pay_cryptogram_only boolean not null default false;
comment on column business.three_ds_above is 'Cents. Only payments above it need 3-D Secure; null means all of them.';
comment on column business.google_pay_merchant_id is
  'The id that Google gave the merchant, which tokens are then encrypted for. Null: tokens are for the gateway that Rialto is.';
comment on column business.google_pay_cryptogram_only is 'Refuses the card numbers of Google accounts (PAN_ONLY).';

alter table terminal
  add column acquirer_bin text,
  add column acquirer_merchant_id text,
  add column merchant_category_code text check (merchant_category_code ~ '^\d{4}$');
comment on column terminal.acquirer_bin is 'As registered with the card networks for 3-D Secure. Null where the simulator is the 3-D Secure server.';

create type authentication_state as enum (
  'STARTED', 'SENT', 'CHALLENGE', 'AUTHENTICATED', 'CONSUMED', 'FAILED', 'EXPIRED'
);

create table authentication (
  business_id uuid not null,
  id uuid not null,
  session_id uuid not null,
  state authentication_state not null,
  source text not null,
  card_fingerprint bytea not null,
  stored_card_id uuid,
  amount bigint not null,
  currency text not null,
  sealed_card bytea,
  server_transaction_id text,
  message_version text,
  method_url text,
  method_done_at timestamptz,
  challenge_url text,
  acs_transaction_id text,
  ds_transaction_id text,
  challenge_window text,
  challenge_opened_at timestamptz,
  challenge_returned_at timestamptz,
  challenge_canceled_at timestamptz,
  trans_status text,
  trans_status_reason text,
  cardholder_info text,
  error_code text,
  error_component text,
  eci text,
  sealed_value bytea,
  counted boolean not null default false,
  operation_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  looked_up_at timestamptz,
  sent_at timestamptz,
  challenged_at timestamptz,
  inquired_at timestamptz,
  decided_at timestamptz,
  consumed_at timestamptz,
  primary key (business_id, id)
);
create index authentication_of_id on authentication (id);
create index authentication_of_session on authentication (business_id, session_id, created_at);
create index authentication_of_operation on authentication (business_id, operation_id) where operation_id is not null;
create index authentication_of_transaction on authentication (business_id, server_transaction_id);
create index authentication_sealed on authentication (expires_at) where sealed_card is not null or sealed_value is not null;
comment on table authentication is 'One run of 3-D Secure for a card, an amount and a session; used by one charge (TDS-8).';
comment on column authentication.server_transaction_id is
  'Of the 3-D Secure server, for about 80 seconds after the card was looked up there; null before.';
comment on column authentication.expires_at is 'For the result; after it, for the charge that uses it.';
comment on column authentication.sealed_card is 'Number, expiry and name, from init until the request is sent to the directory server; then null.';
comment on column authentication.sealed_value is 'The authentication value (CAVV), until the charge that uses it; then null.';
comment on column authentication.source is 'new_card, saved_card or google_pay.';
comment on column authentication.counted is 'Whether it counted as a failed attempt of the session.';
comment on column authentication.error_code is
  'Where the 3-D Secure server failed: its code of the protocol. Null where it gave none, or was silent.';
comment on column authentication.error_component is 'S, D or A: the 3-D Secure server, the directory server or the issuer.';
comment on column authentication.inquired_at is 'When the 3-D Secure server was last asked for the result of the challenge.';
comment on column authentication.operation_id is 'The sale, or the verification, that used it.';
comment on index authentication_of_id is 'The bank''s pages name it by its id alone.';
comment on index authentication_sealed is 'What is sealed and too old is wiped.';

alter table stored_card add column ds_transaction_id text;
comment on column stored_card.ds_transaction_id is
  'Of the authentication with which the customer stored the card. Charges without the customer refer to it.';
comment on constraint business_three_ds_above_check on business is 'An amount.';
comment on constraint terminal_merchant_category_code_check on terminal is 'Four digits (ISO 18245).';
