-- A calendar of bills shows when subscriptions will be canceled. Without this index it reads every active one for it.
-- A bill of a subscription without a scheduled cancel does not write it.

create index subscription_canceling on subscription (business_id, cancel_at)
  where cancel_at is not null and status = 'active';
comment on index subscription_canceling is 'Few are scheduled to end, and the calendar finds them without reading the others.';
