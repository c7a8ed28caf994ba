-- Links where the customer of a subscription enters another card (SUB-48).

create table card_link (
  business_id uuid not null,
  subscription_id uuid not null,
  session_id uuid not null,
  primary key (business_id, subscription_id)
);
comment on table card_link is 'The last session of a subscription''s card link. Its row is locked while the next one begins.';
