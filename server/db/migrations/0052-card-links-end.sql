-- A link on which a customer stores a card lasts 30 days and can be revoked (CHK-60). Each request for a card has one of
-- its own. Links that were sent before name no row, and lead nowhere.

drop table customer_card_link;

create table customer_card_link (
  business_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  session_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (business_id, id)
);
comment on table customer_card_link is 'The links on which customers were asked to store a card, one for each request.';
comment on column customer_card_link.id is 'What the link names: an id with the version 9, unlike that of any other object.';
comment on column customer_card_link.session_id is
  'The last session of the link; null until it is opened. The row is locked while the next one begins.';
comment on column customer_card_link.expires_at is 'In the time of the business, like the other times.';
comment on column customer_card_link.revoked_at is 'When a person of the business ended it; null otherwise.';
create index customer_card_link_customer on customer_card_link (business_id, customer_id, expires_at);
comment on index customer_card_link_customer is 'What of a customer is out.';
create index customer_card_link_expiry on customer_card_link (expires_at);
comment on index customer_card_link_expiry is 'What can be deleted.';
