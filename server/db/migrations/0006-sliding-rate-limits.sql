-- Rate limits slide: a row keeps the instants of the requests that were counted, and its key is a keyed hash.

-- Keys of earlier versions hold session tokens, addresses and user names in clear.
truncate rate_limit;

alter table rate_limit
  add column counted_at bigint[] not null default '{}',
  add column admitted boolean not null default true;
-- A row is rewritten in its own page, without touching the index.
alter table rate_limit set (fillfactor = 50);

comment on table rate_limit is 'The requests that each caller made of late, shared by all processes. Unlogged: a crash forgets them, which is harmless.';
comment on column rate_limit.key is 'Keyed hash of what is limited and who is counted: no token, address or user name is stored.';
comment on column rate_limit.counted_at is 'When the latest requests were admitted, in milliseconds since 1970, oldest first; no more than the limit.';
comment on column rate_limit.admitted is 'Whether the latest request was admitted; those refused are not counted.';
comment on column rate_limit.expire is 'In milliseconds since 1970: from then on no request of the row counts any more.';
comment on column rate_limit.points is 'Of earlier versions, which may still run beside this one.';

comment on column sale_request.key is 'Hash of the Idempotency-Key, into which a merchant may write anything.';
