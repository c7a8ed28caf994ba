-- The merchant API: secret keys; products and their prices; the lists of payment methods.

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
comment on table api_key is 'Secret keys of merchants'' servers. Found by the keyed hash before the business is known; the key itself is nowhere.';
comment on column api_key.expires_at is 'Set when it is rotated: until then it works beside the new one.';
comment on column api_key.last_used_at is 'Written once a minute, and at once when the address is another one.';
comment on constraint api_key_id_once on api_key is 'The account and the operator name a key by its id.';
comment on constraint api_key_environment on api_key is 'Each environment has its own keys (ACC-1).';
comment on constraint api_key_allowed_ips on api_key is 'One or two for each key (ACC-15).';

-- Below, business_id is no foreign key, as with the sessions (0001): the key that a request came with named the business.

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
comment on table price is 'What a product costs, and how often. Amount, currency and cadence never change: subscriptions rely on them.';
comment on column price.recurring_interval is 'Null for a price that is paid once.';
comment on constraint price_product on price is 'A price is of a product of the same business.';
comment on constraint price_unit_amount on price is 'In cents, and no more than a session may ask for (CAT-4).';
comment on constraint price_currency on price is 'The only two currencies (CHK-14).';
comment on constraint price_cadence on price is 'The seven cadences (CAT-5).';
create index price_newest on price (business_id, created_at desc, id desc);
create index price_newest_active on price (business_id, active, created_at desc, id desc);
create index price_of_product on price (business_id, product_id, created_at desc, id desc);

-- Detached cards are not listed, so the index of the list leaves them out.
drop index stored_card_newest;
create index stored_card_newest on stored_card (business_id, created_at desc, id desc) where detached_at is null;
create index stored_card_of_customer on stored_card (business_id, customer_id, created_at desc, id desc)
  where detached_at is null;
