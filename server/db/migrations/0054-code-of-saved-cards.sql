-- Whether payers type the security code of a saved card again.

alter table business add column saved_card_cvv_required boolean not null default false;
comment on column business.saved_card_cvv_required is
  'Whether a payer types the security code of a saved card again (CHK-133). The code itself is never stored.';
