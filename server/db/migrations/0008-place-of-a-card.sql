-- Where a stored card is billed. A surcharge is forbidden in Quebec, so a later payment must know it.

alter table stored_card add column billing_country text, add column billing_state text;
comment on column stored_card.postal_code is
  'Of the billing address, whichever field of the payment it came in. Null when the payer gave none.';
comment on column stored_card.billing_country is 'Two letters, as the payer gave it. Null of a card from before, and when it was not given.';
comment on column stored_card.billing_state is 'Province, state or region as the payer gave it. Null when it was not given.';
