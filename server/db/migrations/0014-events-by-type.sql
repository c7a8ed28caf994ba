create index event_of_type on event (business_id, type, id);
comment on index event_of_type is 'The list of events by type (EVT-24): a rare type is found among many events.';
