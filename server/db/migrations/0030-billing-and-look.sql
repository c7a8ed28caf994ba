-- When bills are charged on their day, how many missed ones wait for nobody, and more of how the payment page looks.

alter table business
  add column billing_run_local_time text not null default '00:00',
  add column missed_dates_max integer not null default 3,
  add column corner_radius integer not null default 10,
  add column font_stack text not null default 'system',
  add constraint business_billing_run_local_time
    check (billing_run_local_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and billing_run_local_time !~ '^02'),
  add constraint business_missed_dates_max check (missed_dates_max between 0 and 12),
  add constraint business_corner_radius check (corner_radius between 0 and 16),
  add constraint business_font_stack check (font_stack in ('system', 'humanist', 'geometric', 'rounded', 'serif'));
comment on column business.billing_run_local_time is
  'HH:MM in the zone of each subscription: when a bill and its retries are charged on their day (BIL-4).';
comment on column business.missed_dates_max is 'More missed dates of a subscription wait for the merchant (BIL-11); 0: each one does.';
comment on column business.corner_radius is 'Of fields and buttons of the payment page, in CSS pixels.';
comment on column business.font_stack is 'A list of fonts that devices have; the page loads none.';
comment on constraint business_billing_run_local_time on business is
  'A time of day. Clocks that are set forward skip 02:00 to 02:59 in the zones of most merchants.';
comment on constraint business_missed_dates_max on business is 'As many as a person still looks through.';
comment on constraint business_corner_radius on business is 'A rounder field would be cut at its ends.';
comment on constraint business_font_stack on business is 'The words that the code knows.';
