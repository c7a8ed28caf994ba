-- The whole schema: businesses and who may act for them; the vault; customers; checkout sessions; operations that move money;
-- payments; events; products; reconciliation.
--
-- Every table of a business begins its primary key with business_id, so that a shard can hold a whole business (OPS-22).
-- server/db/placement.ts says where each table belongs.
--
-- The rows that every payment writes (checkout_session, operation, payment, event, gateway_reference) have no foreign keys, no
-- generated columns and few checks: PostgreSQL locks the parent's row for each foreign key, and parses the stored text of each
-- check and generated column anew at every insert and update. In their place: types instead of lists of values, columns that
-- the statements fill, parents that refuse to go (refuse_key_loss), and children that are made from the row of their parent,
-- which the same statement has locked or read. The audit of the books checks the references.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- A value is added with `alter type ... add value`, in a migration before the one that first writes it.

create type session_status as enum ('PENDING', 'COMPLETED', 'EXPIRED', 'CANCELLED', 'FAILED');
create type customer_named_by as enum ('merchant', 'payer');
-- What the merchant asks for, a void or a refund, becomes two more values: 'void' and 'refund'.
create type operation_kind as enum ('sale', 'reversal_void', 'reversal_refund');
-- In this order: all states of a sale that is lost come last (operation.lost).
create type operation_state as enum (
  'SENT', 'IN_DOUBT', 'REVERSING', 'APPROVED', 'DECLINED', 'NOT_SENT', 'NOT_CHARGED', 'REVERSED'
);
create type charge_owner_kind as enum ('session', 'stored_card_sale', 'bill');
create type payment_status as enum ('succeeded', 'failed', 'refunded', 'voided');

create function refuse_key_loss() returns trigger language plpgsql as $$
begin
  raise exception using errcode = 'restrict_violation',
    message = format('Rows of %I are never deleted, and their keys never change', tg_table_name);
end $$;
comment on function refuse_key_loss is
  'For tables that others refer to without a foreign key. Once for each statement: a trigger for each row would cost every update.';

create table business (
  id uuid primary key,
  name text not null,
  currency text not null,
  country text not null,
  province text,
  time_zone text not null,
  locale text,
  surcharge_rate_bp integer,
  three_ds_enabled boolean not null default false,
  terms_url text,
  privacy_url text,
  support_email text,
  support_phone text,
  logo_hash text,
  brand_color text,
  color_scheme text not null default 'auto',
  new_cards_refused_until timestamptz,
  clock_offset_seconds bigint not null default 0,
  created_at timestamptz not null,
  constraint business_currency check (currency in ('USD', 'CAD')),
  constraint business_country check (country in ('US', 'CA')),
  constraint business_surcharge_rate check (surcharge_rate_bp between 1 and 240),
  constraint business_color_scheme check (color_scheme in ('light', 'dark', 'auto')),
  constraint business_clock check (clock_offset_seconds >= 0)
);
comment on table business is 'A merchant: the tenant that every other row belongs to.';
comment on column business.surcharge_rate_bp is 'Hundredths of a percent; null when the business takes no surcharge.';
comment on column business.logo_hash is 'SHA-256 of the bytes in business_logo, in hex: the URL of the logo changes with it.';
comment on column business.new_cards_refused_until is
  'Set when too many cards are declined: until then new cards of addresses that never paid are refused. Real time.';
comment on column business.clock_offset_seconds is
  'Test clock (OPS-20): how far ahead of real time its sessions and bills live. Always 0 in production.';
comment on constraint business_currency on business is 'The only two currencies (CHK-14).';
comment on constraint business_country on business is 'Surcharge and address rules exist for these two.';
comment on constraint business_surcharge_rate on business is '0 to 2.4 percent (CHK-47).';
comment on constraint business_color_scheme on business is 'auto follows the payer''s device.';
comment on constraint business_clock on business is 'A session never expires before it was made, which the job that closes sessions relies on.';
create trigger business_stays before delete or truncate or update of id on business execute function refuse_key_loss();

create table business_logo (
  business_id uuid primary key references business (id),
  media_type text not null,
  bytes bytea not null,
  constraint business_logo_media_type check (media_type in ('image/png', 'image/jpeg')),
  constraint business_logo_size check (octet_length(bytes) between 1 and 65536)
);
comment on table business_logo is 'The logo that the payment page shows, served from the form''s own origin.';
comment on constraint business_logo_media_type on business_logo is 'Pictures without scripts in them.';
comment on constraint business_logo_size on business_logo is 'At most 64 KiB (PAG-33).';

create table terminal (
  business_id uuid not null references business (id),
  id uuid not null,
  currency text not null,
  gateway text not null,
  merchant_code text not null,
  created_at timestamptz not null,
  primary key (business_id, id),
  constraint terminal_one_a_currency unique (business_id, currency),
  constraint terminal_currency check (currency in ('USD', 'CAD'))
);
comment on table terminal is 'The merchant account at a gateway that a business charges on, one a currency.';
comment on column terminal.merchant_code is 'The gateway''s name of the account.';
comment on constraint terminal_one_a_currency on terminal is
  'Gateways pay out one currency a terminal (GTW-1), so a charge finds its terminal by currency.';
comment on constraint terminal_currency on terminal is 'The only two currencies (CHK-14).';
create trigger terminal_stays before delete or truncate or update of business_id, id on terminal execute function refuse_key_loss();

-- People. better-auth owns these four tables; the dashboard signs in with them, and the password grant checks the same hash.

create table auth_user (
  id text primary key,
  name text not null,
  email text not null,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint auth_user_email_once unique (email)
);
comment on table auth_user is 'A person who signs in (better-auth).';
comment on constraint auth_user_email_once on auth_user is 'The e-mail is the user name.';

create table auth_session (
  id text primary key,
  user_id text not null references auth_user (id) on delete cascade,
  token text not null,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint auth_session_token_once unique (token)
);
comment on table auth_session is 'A signed-in browser (better-auth).';
comment on constraint auth_session_token_once on auth_session is 'A token finds one session.';

create table auth_account (
  id text primary key,
  user_id text not null references auth_user (id) on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint auth_account_once unique (provider_id, account_id)
);
comment on table auth_account is 'How a person proves who they are (better-auth): for the provider credential, the password hash.';
comment on constraint auth_account_once on auth_account is 'One way in belongs to one person.';

create table auth_verification (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table auth_verification is 'Pending e-mail and reset codes (better-auth).';
create index auth_verification_identifier on auth_verification (identifier);

create table business_member (
  business_id uuid not null references business (id),
  user_id text not null references auth_user (id),
  role text not null,
  created_at timestamptz not null,
  primary key (business_id, user_id),
  constraint business_member_role check (role in ('owner', 'admin', 'viewer'))
);
comment on table business_member is 'Which people may act for which business.';
comment on constraint business_member_role on business_member is 'Rights are tied to these words in the code.';
create index business_member_user on business_member (user_id);

create table sign_in_failure (
  name_hash bytea primary key,
  failures smallint not null,
  last_failed_at timestamptz not null
);
comment on table sign_in_failure is 'Failed sign-ins in a row of one user name, known or not: ten lock it for half an hour.';
comment on column sign_in_failure.name_hash is 'Keyed hash: people type their password into the wrong field.';
create index sign_in_failure_age on sign_in_failure (last_failed_at);

-- OAuth, and the secret keys of the merchant API.

create table oauth_client (
  id uuid primary key,
  business_id uuid not null references business (id),
  name text not null,
  secret_hash bytea not null,
  redirect_url text not null,
  environment text not null,
  password_grant boolean not null default true,
  created_at timestamptz not null,
  revoked_at timestamptz,
  constraint oauth_client_environment check (environment in ('staging', 'production'))
);
comment on table oauth_client is
  'Credentials of a merchant server. Found by its id before the business is known, so its key is the id alone.';
comment on column oauth_client.secret_hash is 'Keyed hash; the secret is shown once.';
comment on column oauth_client.redirect_url is 'Session URLs and the Origin of creates must match its origin (CHK-6).';
comment on constraint oauth_client_environment on oauth_client is 'Each environment has its own credentials (ACC-1).';
create index oauth_client_business on oauth_client (business_id);
create trigger oauth_client_stays before delete or truncate or update of id on oauth_client execute function refuse_key_loss();

create table oauth_family (
  business_id uuid not null references business (id),
  id uuid not null,
  client_id uuid not null references oauth_client (id),
  user_id text not null references auth_user (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (business_id, id)
);
comment on table oauth_family is
  'All tokens that descend from one sign-in; reuse of a spent refresh token revokes them together (RFC 9700).';
comment on column oauth_family.expires_at is 'Absolute: refreshing never moves it.';

create table access_token (
  token_hash bytea primary key,
  business_id uuid not null,
  family_id uuid not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  foreign key (business_id, family_id) references oauth_family (business_id, id)
);
comment on table access_token is 'Maps the keyed hash of a bearer token to its business. The token itself is nowhere.';
create index access_token_family on access_token (business_id, family_id);
create index access_token_expiry on access_token (expires_at);

create table refresh_token (
  token_hash bytea primary key,
  business_id uuid not null,
  family_id uuid not null,
  issued_at timestamptz not null,
  used_at timestamptz,
  used_from inet,
  foreign key (business_id, family_id) references oauth_family (business_id, id)
);
comment on table refresh_token is
  'Maps the keyed hash of a refresh token to its family. Single use: kept after use, so that reuse is noticed.';
create index refresh_token_family on refresh_token (business_id, family_id);

create table api_key (
  key_hash bytea primary key,
  business_id uuid not null references business (id),
  id uuid not null,
  name text not null,
  environment text not null,
  last_four text not null,
  allowed_ips inet[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_used_from inet,
  constraint api_key_id_once unique (business_id, id),
  constraint api_key_environment check (environment in ('staging', 'production')),
  constraint api_key_allowed_ips check (cardinality(allowed_ips) between 1 and 2)
);
comment on table api_key is
  'Secret keys of merchants'' servers. Found by the keyed hash before the business is known; the key itself is nowhere.';
comment on column api_key.expires_at is 'Set when it is rotated: until then it works beside the new one.';
comment on column api_key.last_used_at is 'Written once a minute, and at once when the address is another one.';
comment on constraint api_key_id_once on api_key is 'The account and the operator name a key by its id.';
comment on constraint api_key_environment on api_key is 'Each environment has its own keys (ACC-1).';
comment on constraint api_key_allowed_ips on api_key is 'A key works from one or two static addresses (ACC-15).';

create table allowed_ip (
  business_id uuid not null references business (id),
  environment text not null,
  address inet not null,
  created_at timestamptz not null,
  primary key (business_id, environment, address),
  constraint allowed_ip_environment check (environment in ('staging', 'production'))
);
comment on table allowed_ip is 'Static addresses of merchant servers (ACC-18), apart for each environment.';
comment on constraint allowed_ip_environment on allowed_ip is 'A list of staging never opens production.';

create table browser_token (
  token_hash bytea primary key,
  business_id uuid not null references business (id),
  client_id uuid not null references oauth_client (id),
  origin text not null,
  customer_id uuid,
  customer_email text,
  uses_left smallint not null,
  amount_max bigint,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  constraint browser_token_uses check (uses_left between 0 and 20)
);
comment on table browser_token is
  'Short-lived credentials for a merchant''s page: they create sessions from one origin, and nothing else (ACC-21).';
comment on column browser_token.customer_id is
  'Whom the merchant''s server named. No foreign key: tokens are distributed by their hash, customers by their business.';
comment on column browser_token.customer_email is 'Sessions made with the token get this and customer_id, whatever the page says.';
comment on constraint browser_token_uses on browser_token is
  'Counted down in the statement that uses it, so that parallel uses cannot pass the limit.';
create index browser_token_expiry on browser_token (expires_at);

create unlogged table rate_limit (
  key varchar(255) primary key,
  counted_at bigint[] not null default '{}',
  admitted boolean not null default true,
  expire bigint
) with (fillfactor = 50);
comment on table rate_limit is
  'The requests that each caller made of late, shared by all processes. Unlogged: a crash forgets them, which is harmless.';
comment on column rate_limit.key is
  'Keyed hash of what is limited and who is counted: no token, address or user name is stored.';
comment on column rate_limit.counted_at is
  'When the latest requests were admitted, in milliseconds since 1970, oldest first; no more than the limit.';
comment on column rate_limit.admitted is 'Whether the latest request was admitted; those refused are not counted.';
comment on column rate_limit.expire is 'In milliseconds since 1970: from then on no request of the row counts any more.';

-- The vault: the only tables with card numbers, encrypted.

create table vault_key (
  business_id uuid not null references business (id),
  id uuid not null,
  master_key_id text not null,
  wrapped_key bytea not null,
  created_at timestamptz not null,
  retired_at timestamptz,
  primary key (business_id, id)
);
comment on table vault_key is 'Data keys of a business, wrapped by the master key that master_key_id names.';
create unique index vault_key_one_current on vault_key (business_id) where retired_at is null;
comment on index vault_key_one_current is
  'New cards are encrypted with one key; two at once would double the work of rotation.';
create trigger vault_key_stays before delete or truncate or update of business_id, id on vault_key execute function refuse_key_loss();

create table vault_card (
  business_id uuid not null,
  id uuid not null,
  key_id uuid not null,
  number_ciphertext bytea not null,
  fingerprint bytea not null,
  fingerprint_key_id text not null,
  created_at timestamptz not null,
  primary key (business_id, id)
);
comment on table vault_card is
  'Card numbers, AES-256-GCM. No column for the CVV exists, and none may be added (PCI DSS 3.3.1.2).';
comment on column vault_card.key_id is 'The vault_key; its row is not locked for each card.';
comment on column vault_card.fingerprint is
  'HMAC over business and number: equal cards are found without opening them, and not across businesses.';
create trigger vault_card_stays before delete or truncate or update of business_id, id on vault_card execute function refuse_key_loss();

-- Customers and their stored cards.

create table customer (
  business_id uuid not null,
  id uuid not null,
  name text,
  email text,
  email_folded text,
  phone text,
  metadata jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, id),
  constraint customer_named check (name is not null or email is not null)
);
comment on table customer is 'Who pays.';
comment on column customer.name is 'In Unicode''s form NFC, like all text of people.';
comment on column customer.email_folded is 'lower(email), written with it.';
comment on constraint customer_named on customer is 'At least one of name or e-mail (CUS-14).';
create unique index customer_email_once on customer (business_id, email_folded) where email_folded is not null;
comment on index customer_email_once is 'A known e-mail is the known customer, also when two requests name it at once.';
create index customer_newest on customer (business_id, created_at desc, id desc);
create index customer_search on customer
  using gin (business_id, (lower(coalesce(email, '') || ' ' || coalesce(name, ''))) gin_trgm_ops);
comment on index customer_search is 'A part of a name or an e-mail finds the sessions that the merchant bound to a customer.';
create trigger customer_stays before delete or truncate or update of business_id, id on customer execute function refuse_key_loss();

create table stored_card (
  business_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  brand text not null,
  first6 text not null,
  last4 text not null,
  exp_month smallint not null,
  exp_year smallint not null,
  name_on_card text,
  postal_code text,
  billing_country text,
  billing_state text,
  funding text not null default 'unknown',
  fingerprint bytea not null,
  fingerprint_key_id text not null,
  network_transaction_id text,
  created_at timestamptz not null,
  detached_at timestamptz,
  primary key (business_id, id),
  constraint stored_card_expiry check (exp_month between 1 and 12 and exp_year between 2000 and 2199),
  constraint stored_card_funding check (funding in ('credit', 'debit', 'prepaid', 'unknown'))
);
comment on table stored_card is
  'A card the merchant may charge again, as it may be shown; its number is in vault_card under the same id.';
comment on column stored_card.postal_code is
  'Of the billing address, whichever field of the payment it came in. Null when the payer gave none.';
comment on column stored_card.billing_country is 'Two letters, as the payer gave it; null when it was not given.';
comment on column stored_card.billing_state is 'Province, state or region as the payer gave it; null when it was not given.';
comment on constraint stored_card_expiry on stored_card is 'Four-digit years: the wire has both, the database one.';
comment on constraint stored_card_funding on stored_card is 'Only a card known to be a credit card is ever surcharged.';
create unique index stored_card_once on stored_card (business_id, customer_id, fingerprint_key_id, fingerprint)
  where detached_at is null;
comment on index stored_card_once is 'A customer has a card once, also when two tabs save it at once.';
create index stored_card_newest on stored_card (business_id, created_at desc, id desc) where detached_at is null;
create index stored_card_of_customer on stored_card (business_id, customer_id, created_at desc, id desc)
  where detached_at is null;
create trigger stored_card_stays before delete or truncate or update of business_id, id on stored_card
  execute function refuse_key_loss();

-- Checkout sessions. A session is made by a client of the business, whose credential the same request has shown.

create table checkout_session (
  business_id uuid not null,
  id uuid not null,
  client_id uuid not null,
  token_key_id text not null,
  status session_status not null default 'PENDING',
  ui_mode text not null,
  mode text not null,
  currency text not null,
  amount_total bigint not null,
  amount_subtotal bigint,
  amount_tax bigint,
  amount_discount bigint,
  surcharge_rate_bp integer,
  customer_id uuid,
  customer_email text,
  customer_name text,
  customer_named_by customer_named_by not null,
  search_text text not null,
  payer_name text,
  payer_email text,
  payer_phone text,
  payer_customer_id uuid,
  success_url text not null,
  cancel_url text not null,
  parent_origin text not null,
  description text,
  client_reference_id text,
  metadata jsonb,
  line_items jsonb,
  discounts jsonb,
  billing_address_collection text,
  shipping_address_collection text,
  consent_collection jsonb,
  consent jsonb,
  billing_address jsonb,
  shipping_address jsonb,
  attempt_count smallint not null default 0,
  cancel_reason text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  overdue_at timestamptz,
  completed_at timestamptz,
  canceled_at timestamptz,
  failed_at timestamptz,
  primary key (business_id, id),
  constraint checkout_session_amount check (amount_total between 1 and 99999999),
  constraint checkout_session_attempts check (attempt_count between 0 and 3)
) with (fillfactor = 70);
comment on table checkout_session is
  'One payment that a merchant asks for, hosted, embedded or in the modal. What is paid of it follows from its status. An update is HOT: no index names what a payment changes.';
comment on column checkout_session.token_key_id is
  'The master key that its token was made with: the token shown later is the one that was given.';
comment on column checkout_session.customer_id is 'Whom the merchant bound the session to; only then are stored cards shown.';
comment on column checkout_session.customer_name is 'In Unicode''s form NFC: the list is searched by it.';
comment on column checkout_session.customer_named_by is
  'merchant: by its server, with an access token or a browser token bound to the customer. payer: customer_email was typed in a page, and identifies nobody, so that no card is saved or shown.';
comment on column checkout_session.search_text is
  'lower(e-mail, space, name) of the customer as the merchant gave them. Written once, with the session.';
comment on column checkout_session.payer_email is
  'Typed on the payment form, like payer_name and payer_phone: whom the payment is recorded for, unless the merchant named somebody.';
comment on column checkout_session.payer_customer_id is 'Whom the payment was recorded for; set with the approval.';
comment on column checkout_session.parent_origin is
  'Origin of the client''s registered redirect URL: the only one that may frame the form.';
comment on column checkout_session.overdue_at is
  'Set when its time was over and a payment of it was still open: the job that closes sessions comes back to it.';
comment on constraint checkout_session_amount on checkout_session is 'At least a cent, at most 999,999.99 (CHK-9).';
comment on constraint checkout_session_attempts on checkout_session is 'A session takes three attempts (CHK-27).';
create index checkout_session_newest on checkout_session (business_id, created_at desc, id desc);
create index checkout_session_expiry on checkout_session (expires_at);
comment on index checkout_session_expiry is
  'Of all sessions, closed ones too: their status would make each payment write this index. The job reads from where it came to.';
create index checkout_session_overdue on checkout_session (overdue_at) where overdue_at is not null;
create index checkout_session_search on checkout_session using gin (business_id, search_text gin_trgm_ops);
comment on index checkout_session_search is 'A part of a name or an e-mail finds its sessions without reading the others.';
create index checkout_session_customer on checkout_session (business_id, customer_id) where customer_id is not null;
create trigger checkout_session_stays before delete or truncate or update of business_id, id on checkout_session
  execute function refuse_key_loss();

-- Money.

create table operation (
  business_id uuid not null,
  id uuid not null,
  kind operation_kind not null,
  state operation_state not null,
  lost boolean not null default false,
  owner_kind charge_owner_kind not null,
  owner_id uuid not null,
  parent_id uuid,
  merchant_ref text not null,
  terminal_id uuid not null,
  amount bigint not null,
  currency text not null,
  card_brand text,
  card_first6 text,
  card_last4 text,
  card_fingerprint bytea,
  stored_card_id uuid,
  customer_id uuid,
  payer_ip_prefix text,
  code text,
  message text,
  gateway_ref text,
  issuer_reference text,
  network_transaction_id text,
  counts_as_attempt boolean not null default false,
  epoch integer not null default 1,
  sent_at timestamptz not null,
  deadline_at timestamptz not null,
  inquiries integer not null default 0,
  not_found_since timestamptz,
  needs_attention boolean not null default false,
  finalized_at timestamptz,
  open_reversal_of uuid,
  open_card_sale uuid,
  next_inquiry_at timestamptz,
  written_off_at timestamptz,
  declined_at timestamptz,
  primary key (business_id, id),
  constraint operation_amount check (amount > 0),
  constraint operation_parent check ((kind = 'sale') = (parent_id is null)),
  constraint operation_lost check (lost = (state >= 'DECLINED')),
  constraint operation_ref_once unique (business_id, merchant_ref)
) with (fillfactor = 70);
comment on table operation is
  'One movement of money asked of a gateway: written before the first byte is sent, appended, never deleted. An approval changes no column that an index names, so its update is HOT: what is rare has columns of its own, null otherwise, and those are indexed. A query repeats the condition of its index word for word.';
comment on column operation.lost is 'Declined, not charged or reversed, for good: set by the update that sets the state.';
comment on column operation.owner_kind is
  'Whom the sale is for, which decides what becomes of an approval that is found late. A reversal has the owner of its sale.';
comment on column operation.owner_id is 'The checkout session or bill; of a stored-card sale the sale''s own id.';
comment on column operation.parent_id is 'The sale that a reversal gives back.';
comment on column operation.payer_ip_prefix is
  'Address of the payer, an IPv6 one as its /64; only of a payment on a session.';
comment on column operation.epoch is 'Who owns the outcome: a writer with an older number is too late (PAY-6).';
comment on column operation.deadline_at is 'No byte may be sent after it (PAY-5).';
comment on column operation.not_found_since is
  'When the gateway first said that it does not know it; final only some time later.';
comment on column operation.needs_attention is
  'A day of inquiries is over; the outcome is still unknown and still blocks its owner: a person must look (PAY-7).';
comment on column operation.open_reversal_of is 'parent_id while this reversal is sent or in doubt.';
comment on column operation.open_card_sale is 'stored_card_id of a stored-card sale, until its outcome is known.';
comment on column operation.next_inquiry_at is
  'When recovery next inquires at the gateway; set while the operation is in doubt. One that is sent is found by sent_at.';
comment on column operation.written_off_at is
  'Set while a sale counts as not charged: an approval may still turn up, and would have to be reversed.';
comment on column operation.declined_at is 'Of a declined sale: the limits on card testing count these.';
comment on constraint operation_amount on operation is 'An operation moves something.';
comment on constraint operation_parent on operation is 'A reversal has its sale, and a sale stands alone.';
comment on constraint operation_lost on operation is 'The column that the indexes name says what the state says.';
comment on constraint operation_ref_once on operation is 'A reference is never used for a second request (PAY-2).';
create unique index operation_one_sale_an_owner on operation (business_id, owner_id) where not lost and parent_id is null;
comment on index operation_one_sale_an_owner is
  'One open-or-won sale for a session or bill. APPROVED must count: without it a second insert that waited would pass (PAY-2).';
create unique index operation_one_reversal on operation (business_id, open_reversal_of) where open_reversal_of is not null;
comment on index operation_one_reversal is 'One open reversal of a sale.';
create unique index operation_one_open_card_sale on operation (business_id, customer_id, open_card_sale, amount)
  where open_card_sale is not null;
comment on index operation_one_open_card_sale is
  'Until an identical stored-card sale is known to have failed, a second one is refused (PAY-28).';
create index operation_in_doubt on operation (next_inquiry_at) where next_inquiry_at is not null;
create index operation_written_off on operation (written_off_at) where written_off_at is not null;
create index operation_of_owner on operation (business_id, owner_id) where lost or parent_id is not null;
comment on index operation_of_owner is 'Lost sales and reversals; the sale that is open or won has the unique index.';
-- Time first: an index that begins like a primary key is taken for one while a new table has no statistics, and a look-up by
-- id then reads all rows of the business (measured: a payment took eight times as long).
create index operation_sent on operation (sent_at, business_id);
comment on index operation_sent is 'Abandoned operations, the tries of a burst, the operations of a day.';
create index operation_payer on operation (business_id, payer_ip_prefix, sent_at) where payer_ip_prefix is not null;
comment on index operation_payer is 'How many cards an address tried, and whether it ever paid.';
create index operation_card_declines on operation (business_id, card_fingerprint, declined_at) where declined_at is not null;
comment on index operation_card_declines is 'How often a card was declined, over all sessions.';
create trigger operation_stays before delete or truncate or update of business_id, id on operation execute function refuse_key_loss();

create table gateway_reference (
  business_id uuid not null,
  terminal_id uuid not null,
  gateway_ref text not null,
  operation_id uuid not null,
  primary key (business_id, terminal_id, gateway_ref)
);
comment on table gateway_reference is
  'Which sale a gateway''s reference belongs to, written with operation.gateway_ref. The key is the point: one sale at the gateway is one row here, whether it was paid, declined or reversed. Apart from operation, because an index on a column that an approval sets would end its HOT updates.';

create table payment (
  business_id uuid not null,
  id uuid not null,
  operation_id uuid not null,
  session_id uuid,
  customer_id uuid,
  stored_card_id uuid,
  status payment_status not null,
  amount bigint not null,
  surcharge_amount bigint not null default 0,
  currency text not null,
  code text not null,
  message text not null,
  receipt_id text not null,
  issuer_reference text not null,
  card_brand text not null,
  card_first6 text not null,
  card_last4 text not null,
  source text not null,
  refunded_amount bigint not null default 0,
  refund_pending_amount bigint not null default 0,
  created_at timestamptz not null,
  primary key (business_id, id),
  constraint payment_refunds check (
    refunded_amount >= 0 and refund_pending_amount >= 0 and refunded_amount + refund_pending_amount <= amount
  ),
  constraint payment_operation_once unique (business_id, operation_id),
  constraint payment_session_once unique (business_id, session_id)
);
comment on table payment is 'Money that was taken: one row for each approved sale.';
comment on constraint payment_refunds on payment is 'Never more is refunded than was charged, whatever the code believes.';
comment on constraint payment_operation_once on payment is 'One approval is one payment.';
comment on constraint payment_session_once on payment is 'A session is paid once.';

create table sale_request (
  business_id uuid not null,
  key text not null,
  body_hash bytea not null,
  operation_id uuid not null,
  response jsonb,
  created_at timestamptz not null,
  primary key (business_id, key)
);
comment on table sale_request is
  'Stored-card sales that came with an Idempotency-Key, with the response they got: the same request gets the same response (PAY-27).';
comment on column sale_request.key is 'Hash of the Idempotency-Key, into which a merchant may write anything.';
create index sale_request_age on sale_request (created_at);

create table refused_card_try (
  business_id uuid not null,
  id uuid not null,
  payer_ip_prefix text not null,
  card_fingerprint bytea not null,
  tried_at timestamptz not null,
  primary key (business_id, id)
);
comment on table refused_card_try is
  'Cards that were refused before a charge because the customer has them already (duplicate_card). They count for the limits on card testing, and are deleted once those no longer look back at them.';
create index refused_card_try_payer on refused_card_try (business_id, payer_ip_prefix, tried_at);
create index refused_card_try_card on refused_card_try (business_id, card_fingerprint, tried_at);
create index refused_card_try_age on refused_card_try (tried_at);

create table event (
  business_id uuid not null,
  id uuid not null,
  type text not null,
  object_id uuid not null,
  sequence integer not null,
  data jsonb not null,
  created_at timestamptz not null,
  primary key (business_id, id),
  constraint event_sequence_once unique (business_id, object_id, sequence)
);
comment on table event is
  'What happened, recorded in the transaction of the change itself: the outbox of webhooks (EVT-1). Ids are ordered by time, so the primary key lists the newest.';
comment on constraint event_sequence_once on event is
  'Receivers order the events of an object by it; two may not share a number.';

create table job_progress (
  job text primary key,
  reached_at timestamptz not null
);
comment on table job_progress is
  'How far a job that reads rows in the order of an instant has come: nothing before reached_at is left for it. So it need not read all rows each time, and finds what a stop of any length left.';

-- Products and prices.

create table product (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  description text,
  active boolean not null,
  metadata jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, id)
);
comment on table product is 'What a merchant sells.';
comment on column product.active is 'An inactive one takes no new subscriptions; those it has go on.';
create index product_newest on product (business_id, created_at desc, id desc);
create index product_newest_active on product (business_id, active, created_at desc, id desc);
comment on index product_newest_active is 'A page of the few active ones among many costs as little as any other.';

create table price (
  business_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  unit_amount bigint not null,
  currency text not null,
  recurring_interval text,
  recurring_interval_count smallint,
  nickname text,
  active boolean not null,
  metadata jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, id),
  constraint price_product foreign key (business_id, product_id) references product (business_id, id),
  constraint price_unit_amount check (unit_amount between 1 and 99999999),
  constraint price_currency check (currency in ('USD', 'CAD')),
  constraint price_cadence check (
    (recurring_interval is null and recurring_interval_count is null)
    or (recurring_interval, recurring_interval_count) in
      (('day', 1), ('week', 1), ('week', 2), ('month', 1), ('month', 3), ('month', 6), ('year', 1))
  )
);
comment on table price is
  'What a product costs, and how often. Amount, currency and cadence never change: subscriptions rely on them.';
comment on column price.recurring_interval is 'Null for a price that is paid once.';
comment on constraint price_product on price is 'A price is of a product of the same business.';
comment on constraint price_unit_amount on price is 'In cents, and no more than a session may ask for.';
comment on constraint price_currency on price is 'The currencies that are supported.';
comment on constraint price_cadence on price is 'The cadences that are supported.';
create index price_newest on price (business_id, created_at desc, id desc);
create index price_newest_active on price (business_id, active, created_at desc, id desc);
create index price_of_product on price (business_id, product_id, created_at desc, id desc);

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
comment on column reconciliation.listed_at is
  'When the last comparison that went through began to read the list; null when none did yet.';
comment on column reconciliation.failure is
  'Why the comparison at failed_at did not go through; a failed one reports nothing as missing and is tried again.';
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
comment on table reconciliation_finding is
  'A difference between the gateway''s list and ours. Kept when it is resolved: it says what happened.';
comment on column reconciliation_finding.day is
  'The day of the list that has it: by the gateway''s clock, or by ours when the gateway has nothing.';
comment on column reconciliation_finding.subject is
  'What it is about: the gateway''s reference, or our operation when the gateway has none.';
comment on column reconciliation_finding.operation_id is
  'No foreign key: one that refers to operation would cost each update of it.';
comment on column reconciliation_finding.seen_at is 'When a comparison last found it.';
comment on column reconciliation_finding.resolved_by is 'A later comparison that did not find it any more, or a person.';
comment on constraint reconciliation_finding_once on reconciliation_finding is
  'However often a day is compared, a difference is one row.';
comment on constraint reconciliation_finding_kind on reconciliation_finding is
  'The kinds of server/payments/reconciliation/finding.ts.';
comment on constraint reconciliation_finding_transaction on reconciliation_finding is
  'What a gateway lists; a void shows in the state of its sale.';
comment on constraint reconciliation_finding_state on reconciliation_finding is
  'A resolved finding says when and by whom.';
comment on constraint reconciliation_finding_note on reconciliation_finding is 'A person says why.';
create index reconciliation_finding_open on reconciliation_finding (kind) where state = 'OPEN';
create index reconciliation_finding_newest on reconciliation_finding (business_id, found_at desc, id desc);

create unlogged table reconciliation_listed (
  business_id uuid not null,
  run_id uuid not null,
  operation_id uuid not null,
  created_at timestamptz not null,
  primary key (business_id, run_id, operation_id)
);
comment on table reconciliation_listed is
  'Which of our operations one comparison has met in the gateway''s list, so that a day of any length fits in memory. Emptied when it ends; unlogged, because what a crash empties is confirmed by an inquiry before it counts.';
