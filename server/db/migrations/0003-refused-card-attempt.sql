-- What a payer makes is an attempt. Renamed in place, because no version with the former name was released.

alter table refused_card_try rename to refused_card_attempt;
alter table refused_card_attempt rename column tried_at to attempted_at;
alter table refused_card_attempt rename constraint refused_card_try_pkey to refused_card_attempt_pkey;
alter index refused_card_try_payer rename to refused_card_attempt_payer;
alter index refused_card_try_card rename to refused_card_attempt_card;
alter index refused_card_try_age rename to refused_card_attempt_age;
comment on table refused_card_attempt is
  'Attempts with a card that the customer has already stored, refused before a charge (duplicate_card). They count for the limits on card testing, and are deleted when they no longer count.';
