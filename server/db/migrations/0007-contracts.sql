-- Contracts that a customer signs on the hosted page before a subscription is activated (SUB-7).

create type contract_status as enum ('draft', 'sent', 'signed', 'void');

create table contract (
  business_id uuid not null,
  id uuid not null,
  customer_id uuid not null,
  status contract_status not null,
  title text not null,
  body text not null,
  signed_name text,
  signed_ip text,
  sent_at timestamptz,
  signed_at timestamptz,
  voided_at timestamptz,
  created_at timestamptz not null,
  primary key (business_id, id),
  constraint contract_customer foreign key (business_id, customer_id) references customer (business_id, id),
  constraint contract_signature check (
    (signed_at is null) = (signed_name is null) and (signed_at is null) = (signed_ip is null)
    and (status <> 'signed' or signed_at is not null)
  )
);
comment on table contract is 'A text that a customer signs. It never changes: a merchant who needs another text voids it.';
comment on column contract.signed_name is 'As the customer typed it.';
comment on column contract.signed_ip is 'The address it was signed from.';
comment on column contract.signed_at is 'In the time of the business; kept when a signed contract is voided.';
comment on constraint contract_customer on contract is 'A contract is of a customer of the same business.';
comment on constraint contract_signature on contract is 'A signature has a name, a time and an address.';
create index contract_newest on contract (business_id, created_at desc, id desc);
create trigger contract_stays before delete or truncate or update of business_id, id on contract
  execute function refuse_key_loss();

create unique index subscription_of_contract on subscription (business_id, contract_id) where contract_id is not null;
comment on index subscription_of_contract is 'A contract is of one subscription.';
