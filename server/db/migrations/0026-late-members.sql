-- What was recorded during a settlement gets its batch without waiting for the next settlement.

comment on column batch.next_inquiry_at is
  'When recovery next inquires: about a settlement whose outcome is unknown, or, of a settled batch, about what was recorded meanwhile. Null when nothing is left to inquire about.';
create index batch_to_complete on batch (next_inquiry_at) where status = 'settled' and next_inquiry_at is not null;
comment on index batch_to_complete is 'Settled batches that may lack what was recorded during their settlement.';
