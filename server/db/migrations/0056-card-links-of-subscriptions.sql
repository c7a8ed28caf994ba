-- A link to replace the card of a subscription (SUB-48) is a link of the customer for storing a card, too: it lasts 30
-- days and can be revoked (CHK-142). Links that were sent before name no row, and lead nowhere.

drop table card_link;

alter table customer_card_link add column subscription_id uuid;
comment on column customer_card_link.subscription_id is
  'Whose card is replaced by the one that is stored; null when the card is only kept.';
