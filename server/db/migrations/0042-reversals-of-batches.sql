-- What Rialto reversed by itself does not count as a difference of a settled batch: its page and its comparison sum these.

create index operation_reversed on operation (business_id, terminal_id, sent_at)
  where kind in ('reversal_void', 'reversal_refund');
comment on index operation_reversed is 'The reversals of a settled batch. Few sales have one.';
