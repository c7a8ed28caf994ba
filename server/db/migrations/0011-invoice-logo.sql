-- The logos that invoices show. A logo that a business replaces stays for the invoices that it was printed on.

create table invoice_logo (
  business_id uuid not null,
  hash text not null,
  media_type text not null,
  bytes bytea not null,
  primary key (business_id, hash)
);
comment on table invoice_logo is 'Kept once for each picture, not for each invoice: invoice.data names the hash (LTR-16).';
comment on column invoice_logo.hash is 'SHA-256 of the bytes, in hex.';
