-- Webhook endpoints and deliveries. A delivery is inserted by the statement that records its event, so the outbox holds
-- exactly what happened, and a business without endpoints writes nothing.

create type webhook_endpoint_status as enum ('enabled', 'disabled');

create table webhook_endpoint (
  business_id uuid not null,
  id uuid not null,
  url text not null,
  description text,
  enabled_events text[] not null,
  ordered boolean not null,
  status webhook_endpoint_status not null,
  disabled_reason text,
  failing_since timestamptz,
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (business_id, id),
  constraint webhook_endpoint_events check (cardinality(enabled_events) > 0),
  constraint webhook_endpoint_disabled check ((status = 'disabled') = (disabled_reason is not null)),
  constraint webhook_endpoint_rotation check ((previous_secret is null) = (previous_secret_until is null))
);
comment on table webhook_endpoint is 'Where a business receives its events. Times are real time: deliveries do not follow the test clock (OPS-20).';
comment on column webhook_endpoint.enabled_events is 'Types of events, or * for all.';
comment on column webhook_endpoint.ordered is 'An event waits until the earlier ones of its object are delivered, or given up (EVT-13).';
comment on column webhook_endpoint.failing_since is 'The first failed attempt since the last successful one; null while deliveries succeed.';
comment on column webhook_endpoint.secret is 'Sealed; what signs (EVT-7).';
comment on column webhook_endpoint.previous_secret is 'Sealed; signs too until previous_secret_until.';
comment on column webhook_endpoint.deleted_at is 'A deleted endpoint receives nothing and is not shown; its deliveries go with their events.';
comment on constraint webhook_endpoint_events on webhook_endpoint is 'An endpoint that receives nothing is a mistake.';
comment on constraint webhook_endpoint_disabled on webhook_endpoint is 'A disabled one says why.';
comment on constraint webhook_endpoint_rotation on webhook_endpoint is 'A former secret has an end.';

create type webhook_delivery_status as enum ('pending', 'succeeded', 'failed', 'canceled');

create table webhook_delivery (
  business_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  object_id uuid not null,
  sequence integer not null,
  ordered boolean not null,
  status webhook_delivery_status not null,
  attempts smallint not null default 0,
  retries smallint not null default 0,
  due_at timestamptz,
  lease_epoch integer not null default 0,
  finished_at timestamptz,
  primary key (business_id, event_id, endpoint_id),
  constraint webhook_delivery_due check ((status = 'pending') = (due_at is not null))
);
comment on table webhook_delivery is 'An event and an endpoint that receives it. Real time.';
comment on column webhook_delivery.object_id is 'Of the event, like sequence: what an ordered endpoint compares.';
comment on column webhook_delivery.attempts is 'Made so far, redeliveries included: the number of the last webhook_attempt.';
comment on column webhook_delivery.retries is 'Steps of the retry schedule that were used; a redelivery begins it anew (EVT-9).';
comment on column webhook_delivery.due_at is
  'When the next attempt is due, from which time any worker may take it: -infinity for the first. While one has it, this is the end of its lease.';
comment on column webhook_delivery.lease_epoch is 'Who has the delivery: a writer with an older number is too late.';
comment on constraint webhook_delivery_due on webhook_delivery is 'What is pending is due some time.';
create index webhook_delivery_waiting on webhook_delivery (business_id, endpoint_id, due_at, event_id)
  where due_at is not null;
comment on index webhook_delivery_waiting is 'The endpoints that something waits for, and what is due at each: neither depends on another endpoint''s backlog.';
create index webhook_delivery_in_order on webhook_delivery (business_id, endpoint_id, object_id, sequence)
  where ordered and due_at is not null;
comment on index webhook_delivery_in_order is 'Whether an earlier event of the same object still waits.';

create table webhook_attempt (
  business_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  number smallint not null,
  url text not null,
  attempted_at timestamptz not null,
  duration_ms integer not null,
  response_status smallint,
  response_body text,
  error text,
  primary key (business_id, event_id, endpoint_id, number)
);
comment on table webhook_attempt is 'One POST of a delivery. Real time.';
comment on column webhook_attempt.response_status is 'Null when no response came.';
comment on column webhook_attempt.response_body is 'Its first 16 KB as text.';
comment on column webhook_attempt.error is 'Why no response came: a timeout, a refused connection, an address that is not public.';
