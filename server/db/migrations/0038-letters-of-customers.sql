-- A letter is the customer's whom it was written for, whatever address it went to and whatever theirs is now.
alter table letter add column customer_id uuid;
comment on column letter.customer_id is
  'Whom it was written for. Null for the merchant and for people, and in letters from before this column (LTR-25).';
create index letter_of_customer on letter (business_id, customer_id, id desc) where customer_id is not null;
comment on index letter_of_customer is 'The page of a customer lists the letters that were written for them (LTR-25).';
comment on index letter_to_customer is 'The same of letters that do not say for whom: they are found by the address.';
