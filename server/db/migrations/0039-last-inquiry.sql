-- When the gateway was last inquired about an operation without an outcome.

alter table operation add column last_inquiry_at timestamptz;
comment on column operation.last_inquiry_at is
  'When recovery last began to inquire at the gateway; null: never, or before the service noted it.';
