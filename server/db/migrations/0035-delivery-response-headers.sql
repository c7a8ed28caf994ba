-- What the receiver of a delivery responded with, beside its status and body.
alter table webhook_attempt add column if not exists response_headers jsonb;
comment on column webhook_attempt.response_headers is
  'By their names in lower case, a part of each and of all; null when no response came, and of attempts made before this column. Values of cookies, tokens and other secrets are not in it.';
