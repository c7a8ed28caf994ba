-- A stored card that 3-D Secure or a verification refused counts for the limit on declines of that card (SEC-8).
alter table refused_card_attempt add column stored_card_id uuid;
comment on column refused_card_attempt.stored_card_id is 'Null for a typed card. The two are counted separately.';
comment on table refused_card_attempt is
  'Attempts that no operation shows: with a card that the customer has already stored (duplicate_card), and with one that was not verified or not authenticated. They count for the limits on card testing, and are deleted when they no longer count.';
