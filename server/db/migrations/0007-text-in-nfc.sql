-- Text is stored in Unicode's form NFC, so that a search finds a name whichever way its letters were sent. From now on it is read
-- that way; names from before are brought to it here. Few are not in it already, and only they are written.

update customer set name = normalize(name, NFC) where name is not nfc normalized;
update checkout_session set customer_name = normalize(customer_name, NFC) where customer_name is not nfc normalized;
update product set name = normalize(name, NFC) where name is not nfc normalized;

comment on column customer.name is 'In Unicode''s form NFC, like all text of people.';
comment on column checkout_session.customer_name is 'In Unicode''s form NFC: the list is searched by it.';
