-- Sign-in of people keeps to better-auth's tables for persons, passwords and sessions. Factors have tables of their own.

drop table two_factor;
drop table auth_verification;
alter table auth_user drop column two_factor_enabled;
comment on column auth_session.last_seen_at is 'Of the newest call; null before the first. Written at most once in 15 seconds.';

create table totp (
  user_id text primary key references auth_user (id) on delete cascade,
  secret bytea not null,
  created_at timestamptz not null
);
comment on table totp is 'The authenticator app of a person.';
comment on column totp.secret is 'Sealed under a key that is not in the database.';

create table recovery_code (
  user_id text not null references auth_user (id) on delete cascade,
  hash bytea not null,
  primary key (user_id, hash)
);
comment on table recovery_code is 'Recovery codes that were not used yet. Whoever uses one deletes its row.';
comment on column recovery_code.hash is 'Keyed hash; the codes are shown once.';

create table factor_reset (
  user_id text primary key references auth_user (id) on delete cascade,
  requested_by text not null,
  created_at timestamptz not null,
  due_at timestamptz not null
);
comment on table factor_reset is 'Owners whose factors somebody else asked to remove (DSH-36). Signing in with one withdraws it.';
comment on column factor_reset.due_at is 'From then on the next sign-in by password removes the factors.';

alter table one_time_code drop constraint one_time_code_purpose;
alter table one_time_code add constraint one_time_code_purpose check (
  purpose in ('set_up', 'sign_in_link', 'password_reset', 'second_factor', 'totp_register', 'passkey_sign_in', 'passkey_register',
    'passkey_step_up')
);
comment on constraint one_time_code_purpose on one_time_code is 'A code of one purpose is useless for another.';
