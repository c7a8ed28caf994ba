-- What the dashboard's pages about subscriptions search by.

create index subscription_of_reference on subscription (business_id, lower(metadata ->> 'reference') text_pattern_ops)
  where metadata ? 'reference';
comment on index subscription_of_reference is 'The list filters by the beginning of a reference. Written only where the metadata has one.';
