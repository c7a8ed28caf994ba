-- What a merchant wrote on sessions is found by a part of it. An index on the sessions would be written with every session; this
-- table is filled by a job.

create table session_reference (
  business_id uuid not null,
  session_id uuid not null,
  reference text not null,
  primary key (business_id, session_id)
);
comment on table session_reference is
  'The lower-case reference and description of a checkout session, for the search of the dashboard. The job of their indexing writes sessions that are over; newer ones are read themselves.';
create index session_reference_search on session_reference using gin (business_id, reference gin_trgm_ops);

create index subscription_next_bill on subscription (business_id, next_billing_date) where next_billing_date is not null;
comment on index subscription_next_bill is 'Counts the subscriptions whose next bill is in a range of days.';
