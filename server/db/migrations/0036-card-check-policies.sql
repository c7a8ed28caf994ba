-- Which approvals of typed cards a business refuses, by what the issuer found of the security code and of the address.

alter table business
  add column cvv_policy text not null default 'accept',
  add column avs_policy text not null default 'accept',
  add constraint business_cvv_policy check (cvv_policy in ('accept', 'decline_mismatch', 'require_match')),
  add constraint business_avs_policy check (avs_policy in
    ('accept', 'decline_no_match', 'decline_postal_mismatch', 'decline_any_mismatch', 'require_match'));
comment on column business.cvv_policy is
  'Which results of the security code of a typed card are refused: the approval is voided, and reported as N7 (PAY-29).';
comment on column business.avs_policy is 'The same of the address (PAY-29).';
comment on constraint business_cvv_policy on business is 'The words that the code knows.';
comment on constraint business_avs_policy on business is 'The words that the code knows.';
