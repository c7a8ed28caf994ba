-- What a merchant's server may do is said by its key or client, and never more than its maker may.

alter table api_key add column scopes text[];
update api_key set scopes = array['customers:read', 'customers:write', 'catalog:read', 'catalog:write',
  'checkout_sessions:read', 'checkout_sessions:write', 'subscriptions:read', 'subscriptions:write', 'payments:read',
  'batches:read', 'events:read', 'events:write', 'webhooks:read', 'webhooks:write', 'refunds', 'voids', 'sell',
  'settle', 'test_clock:read', 'test_clock:write'];
alter table api_key alter column scopes set not null;
comment on column api_key.scopes is 'What a server may do with the key (ACC-76).';

alter table oauth_client
  add column scopes text[],
  add column created_by text,
  add column skips_second_factor boolean not null default false,
  add column refresh_reused_at timestamptz,
  add column refresh_reused_from text,
  add column refresh_reuse_ended boolean;
update oauth_client set scopes = (array['customers:read', 'customers:write', 'catalog:read', 'catalog:write',
  'checkout_sessions:read', 'checkout_sessions:write', 'subscriptions:read', 'subscriptions:write', 'payments:read',
  'batches:read', 'events:read', 'events:write', 'webhooks:read', 'webhooks:write', 'refunds', 'voids', 'sell',
  'settle', 'test_clock:read', 'test_clock:write']);
alter table oauth_client alter column scopes set not null;
comment on column oauth_client.scopes is 'What tokens of the client may do at most (ACC-76).';
comment on column oauth_client.created_by is
  'The e-mail of the person who made the client, or its present secret; null: the operator. It ends with their rights (ACC-80).';
comment on column oauth_client.skips_second_factor is
  'An owner allows the password grant of this client also for people with a second factor (ACC-78).';
comment on column oauth_client.refresh_reused_at is 'When a spent refresh token of the client last came again (ACC-8).';
comment on column oauth_client.refresh_reused_from is 'The address that sent it.';
comment on column oauth_client.refresh_reuse_ended is 'Whether that ended the tokens of the sign-in.';

alter table oauth_family add column scopes text[];
comment on column oauth_family.scopes is
  'What was asked for at the sign-in; null: all that the client and the person may.';
alter table access_token add column scopes text[];
comment on column access_token.scopes is 'What was asked for at the refresh; null: all that its family may.';

alter table browser_token add column family_id uuid;
delete from browser_token;
alter table browser_token alter column family_id set not null;
alter table browser_token add foreign key (business_id, family_id) references oauth_family (business_id, id);
comment on column browser_token.family_id is 'Whose access token made it: it ends with that family.';
