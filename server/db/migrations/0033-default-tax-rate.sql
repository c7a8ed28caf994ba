-- The tax that the dashboard enters for a new subscription.

alter table business
  add column default_tax_rate_ppm integer,
  add constraint business_default_tax_rate check (default_tax_rate_ppm between 1 and 300000);
comment on column business.default_tax_rate_ppm is
  'Millionths, 130000 for 13 percent: entered for a new subscription in the dashboard, where it can be changed; null: none.';
comment on constraint business_default_tax_rate on business is 'Up to 30 percent, as the tax of a subscription.';
