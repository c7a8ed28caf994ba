-- Google Pay (GPY-): the keys that its tokens are encrypted for, and the tokens that were used.

create table google_pay_key (
  id uuid primary key,
  business_id uuid references business (id),
  environment text not null,
  public_key bytea not null,
  sealed_private_key bytea,
  created_at timestamptz not null,
  retired_at timestamptz,
  constraint google_pay_key_environment check (environment in ('staging', 'production')),
  constraint google_pay_key_point check (octet_length(public_key) = 65),
  constraint google_pay_key_retired check ((retired_at is null) = (sealed_private_key is not null))
);
create index google_pay_key_of_business on google_pay_key (business_id);
comment on table google_pay_key is 'Key pairs on P-256. At most two of an owner are active, for a rotation (GPY-10).';
comment on column google_pay_key.business_id is 'Null: of the gateway that Rialto is at Google, for all businesses.';
comment on column google_pay_key.public_key is 'An uncompressed point.';
comment on column google_pay_key.sealed_private_key is 'PKCS #8, sealed under the master key. Wiped when the key is retired.';
comment on constraint google_pay_key_environment on google_pay_key is 'Each environment has its own keys (GPY-10).';
comment on constraint google_pay_key_point on google_pay_key is 'Its length.';
comment on constraint google_pay_key_retired on google_pay_key is 'A retired key opens no token.';

create table google_pay_message (
  business_id uuid not null,
  message_hash bytea not null,
  expires_at timestamptz not null,
  primary key (business_id, message_hash)
);
create index google_pay_message_expired on google_pay_message (expires_at);
comment on table google_pay_message is 'Tokens that were used to pay, until they expire (GPY-5).';
comment on column google_pay_message.message_hash is 'SHA-256 of the messageId.';
