-- Finds the batch of a settlement whose response was lost. Only settlements write it.
create index if not exists audit_entry_settlement on audit_entry (business_id, (after ->> 'settlement'))
  where action = 'batch.settle';
comment on index audit_entry_settlement is 'The batch that a settlement was asked for (DSH-4).';
