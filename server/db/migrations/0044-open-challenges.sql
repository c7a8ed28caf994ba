-- Every minute a job asks for the results of challenges whose page is asleep. Without this index it reads every
-- authentication for it. A payment without a challenge does not write it.

create index authentication_challenged on authentication (expires_at) where state = 'CHALLENGE';
comment on index authentication_challenged is 'Challenges that are open; those whose payer left expire soon.';
