-- What the dashboard shows about credentials and webhooks.

alter table api_key add column created_by text;
comment on column api_key.created_by is 'The person who made it, by e-mail; null: the operator.';

alter table allowed_ip add column last_seen_at timestamptz;
comment on column allowed_ip.last_seen_at is
  'Of the newest call with an access token; null: none yet. Written at most once a minute by each process.';

create index webhook_delivery_unsuccessful on webhook_delivery (business_id, endpoint_id, event_id)
  where status in ('failed', 'canceled');
comment on index webhook_delivery_unsuccessful is
  'Finds what did not arrive among deliveries that did. A delivery that succeeds never enters it.';
