-- Sessions of mode setup, where a customer stores a card and pays nothing (CHK-60).

-- Every stored amount passes the narrower check, so the tables are not read for it.
alter domain session_amount drop constraint session_amount_range;
alter domain session_amount add constraint session_amount_range check (value between 0 and 99999999) not valid;
comment on constraint session_amount_range on domain session_amount is
  'Of a payment at least a cent (CHK-9), at most 999,999.99; 0 where a card is only stored.';

create table customer_card_link (
  business_id uuid not null,
  customer_id uuid not null,
  session_id uuid not null,
  primary key (business_id, customer_id)
);
comment on table customer_card_link is
  'The last session where a customer was asked for a card. Its row is locked while the next one begins.';

comment on index checkout_session_rare_mode is 'Sign-ups for subscriptions, and cards that are only stored.';
