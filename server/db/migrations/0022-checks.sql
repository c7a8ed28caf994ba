alter table operation add column avs_result text, add column cvv_result text,
  add constraint operation_checks check (avs_result ~ '^[A-Z0-9]$' and cvv_result ~ '^[A-Z0-9]$');
comment on column operation.avs_result is 'What the issuer found of the address, as one letter of the card networks; null: it was not said.';
comment on column operation.cvv_result is 'The same for the security code, which is never stored.';
comment on constraint operation_checks on operation is 'One letter, never what was checked (GTW-2).';

comment on table auth_user is 'A person who signs in.';
comment on table auth_session is 'A signed-in browser.';
comment on table auth_account is 'How a person proves who they are: for the provider credential, the password hash.';
