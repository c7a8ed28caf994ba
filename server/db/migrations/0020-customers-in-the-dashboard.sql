create index letter_to_customer on letter (business_id, recipient, id desc) where audience = 'customer';
comment on index letter_to_customer is 'The page of a customer lists the letters that went to their address.';
create index contract_of_customer on contract (business_id, customer_id, created_at desc, id desc);
