-- Businesses and who may act for them; customers; checkout sessions; operations that move money; payments; events.
-- Every tenant table starts its primary key with business_id, so that a shard holds a whole business (OPS-22).

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
  logo_url text,
  brand_color text,
  clock_offset_seconds bigint not null default 0,
  created_at timestamptz not null,
  constraint business_currency check (currency in ('USD', 'CAD')),
  constraint business_country check (country in ('US', 'CA')),
  constraint business_surcharge_rate check (surcharge_rate_bp between 1 and 240)
);
comment on table business is 'A merchant: the tenant that every other row belongs to.';
comment on column business.surcharge_rate_bp is 'Hundredths of a percent; null when the business takes no surcharge.';
comment on column business.clock_offset_seconds is 'Test clock (OPS-20): how far ahead of real time its sessions and bills live. Always 0 in production.';
comment on constraint business_currency on business is 'The only two currencies (CHK-14).';
comment on constraint business_country on business is 'Surcharge and address rules exist for these two.';
comment on constraint business_surcharge_rate on business is '0 to 2.4 percent (CHK-47).';

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
comment on column terminal.merchant_code is 'How the gateway calls it.';
comment on constraint terminal_one_a_currency on terminal is 'Gateways settle one currency a terminal (GTW-1), so a charge finds its terminal by currency.';
comment on constraint terminal_currency on terminal is 'The only two currencies (CHK-14).';

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

-- OAuth.

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
comment on table oauth_client is 'Credentials of a merchant server. Found by its id before the business is known, so its key is the id alone.';
comment on column oauth_client.secret_hash is 'Keyed hash; the secret is shown once.';
comment on column oauth_client.redirect_url is 'Session URLs and the Origin of creates must match its origin (CHK-6).';
comment on constraint oauth_client_environment on oauth_client is 'Each environment has its own credentials (ACC-1).';
create index oauth_client_business on oauth_client (business_id);

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
comment on table oauth_family is 'All tokens that descend from one sign-in; reuse of a spent refresh token revokes them together (RFC 9700).';
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
comment on table refresh_token is 'Maps the keyed hash of a refresh token to its family. Single use: kept after use, so that reuse is noticed.';
create index refresh_token_family on refresh_token (business_id, family_id);

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

create unlogged table rate_limit (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
comment on table rate_limit is 'Counters of rate-limiter-flexible, shared by all processes. Unlogged: a crash forgets them, which is harmless.';

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
comment on index vault_key_one_current is 'New cards are encrypted with one key; two at once would double the work of rotation.';

create table vault_card (
  business_id uuid not null references business (id),
  id uuid not null,
  key_id uuid not null,
  number_ciphertext bytea not null,
  fingerprint bytea not null,
  fingerprint_key_id text not null,
  created_at timestamptz not null,
  primary key (business_id, id),
  foreign key (business_id, key_id) references vault_key (business_id, id)
);
comment on table vault_card is 'Card numbers, AES-256-GCM. No column for the CVV exists, and none may be added (PCI DSS 3.3.1.2).';
comment on column vault_card.fingerprint is 'HMAC over business and number: equal cards are found without opening them, and not across businesses.';

-- Customers and their stored cards.

create table customer (
  business_id uuid not null references business (id),
  id uuid not null,
  name text,
  email text,
  email_folded text generated always as (lower(email)) stored,
  phone text,
  metadata jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, id),
  constraint customer_named check (name is not null or email is not null)
);
comment on table customer is 'Who pays.';
comment on constraint customer_named on customer is 'At least one of name or email (CUS-14).';
create unique index customer_email_once on customer (business_id, email_folded) where email_folded is not null;
comment on index customer_email_once is 'A known e-mail is the known customer, also when two requests say it at once.';
create index customer_newest on customer (business_id, created_at desc, id desc);

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
  fingerprint bytea not null,
  fingerprint_key_id text not null,
  network_transaction_id text,
  created_at timestamptz not null,
  detached_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, customer_id) references customer (business_id, id),
  foreign key (business_id, id) references vault_card (business_id, id),
  constraint stored_card_expiry check (exp_month between 1 and 12 and exp_year between 2000 and 2199)
);
comment on table stored_card is 'A card the merchant may charge again, as it may be shown; its number is in vault_card under the same id.';
comment on constraint stored_card_expiry on stored_card is 'Four-digit years: the wire has both, the database one.';
create unique index stored_card_once on stored_card (business_id, customer_id, fingerprint_key_id, fingerprint)
  where detached_at is null;
comment on index stored_card_once is 'A customer has a card once, also when two tabs save it at once (422 duplicate_card).';
create index stored_card_newest on stored_card (business_id, created_at desc, id desc);

-- Checkout sessions, and below them operations, payments and events. Their business_id is no foreign key: checking it would
-- lock the one row of the business with every insert, which costs a pay at 8 clients a sixth (measured). A session is made
-- by a client of the business, an operation on its terminal, and a business is never deleted.

create table checkout_session (
  business_id uuid not null,
  id uuid not null,
  client_id uuid not null references oauth_client (id),
  token_key_id text not null,
  status text not null default 'PENDING',
  payment_status text not null default 'UNPAID',
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
  completed_at timestamptz,
  canceled_at timestamptz,
  failed_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, customer_id) references customer (business_id, id),
  foreign key (business_id, payer_customer_id) references customer (business_id, id),
  constraint checkout_session_status check (
    (status, payment_status) in
    (('PENDING', 'UNPAID'), ('COMPLETED', 'PAID'), ('EXPIRED', 'UNPAID'), ('CANCELLED', 'UNPAID'), ('FAILED', 'FAILED'))
  ),
  constraint checkout_session_amount check (amount_total between 1 and 99999999),
  constraint checkout_session_attempts check (attempt_count between 0 and 3)
);
comment on table checkout_session is 'One payment that a merchant asks for, hosted, embedded or in the modal.';
comment on column checkout_session.token_key_id is 'The token is an HMAC of the id under this key: it can be shown again, and a stolen table opens nothing.';
comment on column checkout_session.customer_id is 'Whom the merchant bound the session to; only then are stored cards shown.';
comment on column checkout_session.payer_customer_id is 'Whom the payer named on the form, or who was made when it was paid.';
comment on column checkout_session.parent_origin is 'Origin of the client''s registered redirect URL: the only one that may frame the form.';
comment on constraint checkout_session_status on checkout_session is 'No other pair exists (CHK-24 to CHK-29).';
comment on constraint checkout_session_amount on checkout_session is 'At least a cent, at most 999,999.99 (CHK-9).';
comment on constraint checkout_session_attempts on checkout_session is 'Three (CHK-27).';
create index checkout_session_newest on checkout_session (business_id, created_at desc, id desc);
create index checkout_session_due on checkout_session (expires_at) where status = 'PENDING';

create table session_token (
  token_hash bytea primary key,
  business_id uuid not null,
  session_id uuid not null,
  foreign key (business_id, session_id) references checkout_session (business_id, id)
);
comment on table session_token is 'Maps the hash of a session token to its session, whoever the business is.';

-- Money.

create table operation (
  business_id uuid not null,
  id uuid not null,
  kind text not null,
  state text not null,
  merchant_ref text not null,
  terminal_id uuid not null,
  session_id uuid,
  parent_id uuid,
  amount bigint not null,
  currency text not null,
  card_brand text,
  card_first6 text,
  card_last4 text,
  card_fingerprint bytea,
  stored_card_id uuid,
  code text,
  message text,
  gateway_ref text,
  issuer_reference text,
  network_transaction_id text,
  counts_as_attempt boolean not null default false,
  epoch integer not null default 1,
  deadline_at timestamptz not null,
  sent_at timestamptz not null,
  inquiries integer not null default 0,
  not_found_since timestamptz,
  look_again_at timestamptz,
  needs_attention boolean not null default false,
  settled_at timestamptz,
  primary key (business_id, id),
  foreign key (business_id, terminal_id) references terminal (business_id, id),
  foreign key (business_id, session_id) references checkout_session (business_id, id),
  foreign key (business_id, parent_id) references operation (business_id, id),
  constraint operation_kind check (kind in ('sale', 'void', 'refund')),
  constraint operation_state check (
    state in ('SENT', 'IN_DOUBT', 'REVERSING', 'APPROVED', 'DECLINED', 'NOT_SENT', 'NOT_CHARGED', 'REVERSED')
  ),
  constraint operation_amount check (amount > 0),
  constraint operation_parent check ((kind = 'sale') = (parent_id is null)),
  constraint operation_ref_once unique (business_id, merchant_ref)
);
comment on table operation is 'One movement of money asked of a gateway: written before the first byte is sent, appended, never deleted.';
comment on column operation.parent_id is 'The sale that a void or a refund undoes.';
comment on column operation.epoch is 'Who owns the outcome: a writer with an older number is too late (PAY-6).';
comment on column operation.deadline_at is 'No byte may be sent after it (PAY-5).';
comment on column operation.not_found_since is 'When the gateway first said that it knows nothing of it; final only after its settle time.';
comment on column operation.look_again_at is 'When the resolver asks the gateway next; set while the outcome is open.';
comment on column operation.needs_attention is 'Inquiries are used up; still in doubt, still blocking: a person must look (PAY-7).';
comment on constraint operation_kind on operation is 'What a gateway can be asked that moves money.';
comment on constraint operation_state on operation is 'The states of server/payments/operation.ts.';
comment on constraint operation_amount on operation is 'A movement moves something.';
comment on constraint operation_parent on operation is 'Only a sale stands alone.';
comment on constraint operation_ref_once on operation is 'A reference is never used for a second try (PAY-2).';
create unique index operation_one_sale_a_session on operation (business_id, session_id)
  where kind = 'sale' and state in ('SENT', 'IN_DOUBT', 'REVERSING', 'APPROVED');
comment on index operation_one_sale_a_session is
  'One open-or-won charge a session. APPROVED must be in the list: without it a second insert that waited passes (PAY-2).';
create unique index operation_one_undo on operation (business_id, parent_id)
  where kind in ('void', 'refund') and state in ('SENT', 'IN_DOUBT');
comment on index operation_one_undo is 'One open void or refund of a sale.';
create unique index operation_gateway_ref_once on operation (business_id, terminal_id, gateway_ref)
  where gateway_ref is not null and kind = 'sale';
comment on index operation_gateway_ref_once is 'One sale at the gateway is one row here.';
create index operation_open on operation (look_again_at) where state in ('SENT', 'IN_DOUBT');
create index operation_not_charged on operation (settled_at) where kind = 'sale' and state in ('NOT_CHARGED', 'NOT_SENT');
create index operation_of_session on operation (business_id, session_id);

create table payment (
  business_id uuid not null,
  id uuid not null,
  operation_id uuid not null,
  session_id uuid,
  customer_id uuid,
  stored_card_id uuid,
  status text not null,
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
  foreign key (business_id, operation_id) references operation (business_id, id),
  foreign key (business_id, session_id) references checkout_session (business_id, id),
  foreign key (business_id, customer_id) references customer (business_id, id),
  constraint payment_status check (status in ('succeeded', 'failed', 'refunded', 'voided')),
  constraint payment_refunds check (
    refunded_amount >= 0 and refund_pending_amount >= 0 and refunded_amount + refund_pending_amount <= amount
  ),
  constraint payment_operation_once unique (business_id, operation_id),
  constraint payment_session_once unique (business_id, session_id)
);
comment on table payment is 'Money that was taken: one row for each approved sale.';
comment on constraint payment_status on payment is 'SUB-34.';
comment on constraint payment_refunds on payment is 'Never more is given back than was taken, whatever the code believes.';
comment on constraint payment_operation_once on payment is 'One approval is one payment.';
comment on constraint payment_session_once on payment is 'A session is paid once.';

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
comment on table event is 'What happened, recorded in the transaction of the change itself: the outbox of webhooks (EVT-1).';
comment on constraint event_sequence_once on event is 'Receivers order the events of an object by it; two may not share a number.';
create index event_newest on event (business_id, created_at desc, id desc);
