-- Sales that were not sent, not charged or reversed are rare among those that were declined. An approval writes no entry, and a
-- decline neither.
create index operation_undone on operation (business_id, id) where lost and parent_id is null and declined_at is null;
comment on index operation_undone is 'The filters of the list of payments for sales that took no money and were not declined.';
