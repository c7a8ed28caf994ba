-- How much was redelivered to an endpoint in the last hour, so that redelivery cannot fill the disk (EVT-143).

create table webhook_redelivery (
  business_id uuid not null,
  endpoint_id uuid not null,
  minute timestamptz not null,
  deliveries integer not null,
  primary key (business_id, endpoint_id, minute),
  constraint webhook_redelivery_some check (deliveries > 0)
);
comment on table webhook_redelivery is
  'How many redeliveries and tests an endpoint had in a minute of real time. A lock on the endpoint orders its calls.';
comment on column webhook_redelivery.minute is 'Its first instant. An hour after its last one it counts no more.';
comment on constraint webhook_redelivery_some on webhook_redelivery is 'A minute without one has no row.';
