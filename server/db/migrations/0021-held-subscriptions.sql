create index subscription_held on subscription (business_id, catch_up_held_at) where catch_up_held_at is not null;
comment on index subscription_held is 'Missed bills that wait for the merchant (BIL-11), which home asks for every minute.';
