-- The merchant dashboard: who may sign in and how, what they may do, and what they did.

alter table business_member drop constraint business_member_role;
update business_member set role = 'analyst' where role = 'viewer';
alter table business_member add constraint business_member_role
  check (role in ('owner', 'admin', 'developer', 'support', 'analyst'));
comment on constraint business_member_role on business_member is 'Rights are tied to these words in contract/permissions.ts.';
alter table business_member add column invited_by text;
comment on column business_member.invited_by is 'The user who invited; null for those whom the operator made.';

-- Codes and factors have tables of our own.
drop table auth_verification;

alter table auth_user add column locale text;
comment on column auth_user.locale is 'The language of the dashboard; null: the browser''s.';

alter table auth_session
  add column proof text not null default 'password',
  add column last_seen_at timestamptz,
  add column stepped_up_at timestamptz,
  add constraint auth_session_proof check (proof in ('password', 'second_factor', 'passkey'));
create index auth_session_user on auth_session (user_id);
comment on column auth_session.proof is 'How the person signed in; a passkey counts as both factors.';
comment on column auth_session.last_seen_at is 'Of the newest call; null before the first. Written at most once in 15 seconds.';
comment on column auth_session.stepped_up_at is 'When the person last proved again who they are (DSH-12); null: not in this session.';
comment on constraint auth_session_proof on auth_session is 'What else is asked for depends on these words in the code.';

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

create table totp_use (
  user_id text primary key references auth_user (id) on delete cascade,
  last_step bigint not null default 0,
  failures smallint not null default 0,
  failed_since timestamptz
);
comment on table totp_use is 'A code works once, and five wrong ones lock the second factor for a quarter of an hour.';
comment on column totp_use.last_step is 'The time step of the newest code that was accepted: it and earlier ones are refused.';

create table passkey (
  id text primary key,
  user_id text not null references auth_user (id) on delete cascade,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  is_synced boolean not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  constraint passkey_credential_once unique (credential_id)
);
comment on table passkey is 'A passkey of a person. It was registered with user verification, and is used with it.';
comment on column passkey.is_synced is 'Whether the password manager copies it to other devices.';
comment on constraint passkey_credential_once on passkey is 'A credential finds one person.';
create index passkey_user on passkey (user_id);

create table one_time_code (
  hash bytea primary key,
  purpose text not null,
  user_id text references auth_user (id) on delete cascade,
  session_id text references auth_session (id) on delete cascade,
  data jsonb,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint one_time_code_purpose check (
    purpose in ('set_up', 'sign_in_link', 'password_reset', 'second_factor', 'totp_register', 'passkey_sign_in', 'passkey_register',
      'passkey_step_up')
  )
);
comment on table one_time_code is 'Links, challenges and pending sign-ins: whoever uses one deletes its row.';
comment on column one_time_code.hash is 'Keyed hash of what the person or the browser holds.';
comment on column one_time_code.session_id is 'The one session that may use it; null before sign-in.';
comment on constraint one_time_code_purpose on one_time_code is 'A code of one purpose is useless for another.';
create index one_time_code_expiry on one_time_code (expires_at);
create index one_time_code_user on one_time_code (user_id);
create index one_time_code_session on one_time_code (session_id);

create table invitation (
  id uuid primary key,
  business_id uuid not null references business (id),
  email text not null,
  role text not null,
  token_hash bytea not null,
  invited_by text not null references auth_user (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  ended_at timestamptz,
  constraint invitation_role check (role in ('owner', 'admin', 'developer', 'support', 'analyst')),
  constraint invitation_token_once unique (token_hash)
);
comment on table invitation is 'Who was asked to join a business, and as what. It is used once.';
comment on column invitation.ended_at is 'When it was withdrawn or declined.';
comment on constraint invitation_role on invitation is 'The words of business_member.role.';
comment on constraint invitation_token_once on invitation is 'A link finds one invitation.';
create index invitation_business on invitation (business_id, created_at desc);
create index invitation_inviter on invitation (invited_by);
create unique index invitation_open on invitation (business_id, lower(email)) where accepted_at is null and ended_at is null;
comment on index invitation_open is 'One open invitation for each address.';

create table saved_view (
  business_id uuid not null,
  id uuid not null,
  user_id text not null,
  list text not null,
  name text not null,
  query jsonb not null,
  columns jsonb,
  is_shared boolean not null default false,
  created_at timestamptz not null,
  primary key (business_id, id)
);
comment on table saved_view is 'Filters and columns of one list, under a name, for one person or for everyone in the business.';
comment on column saved_view.columns is 'The columns that are shown; null: the usual ones.';
create index saved_view_list on saved_view (business_id, list);

create table dashboard_request (
  business_id uuid not null,
  user_id text not null,
  key text not null,
  request_hash bytea not null,
  status smallint,
  response jsonb,
  created_at timestamptz not null,
  object_id uuid,
  primary key (business_id, user_id, key)
);
comment on table dashboard_request is 'Calls that must not happen twice, by their Idempotency-Key, for 24 hours (DSH-4).';
comment on column dashboard_request.response is 'The final response, without secrets; null while the call is under way, or when its process ended.';
comment on column dashboard_request.object_id is
  'The id of what the call makes, chosen before it begins: by it the outcome is found when the response was lost.';
create index dashboard_request_age on dashboard_request (created_at);

create table dashboard_limits (
  business_id uuid primary key,
  refund_step_up_amount bigint not null default 50000,
  refund_daily_amount bigint not null default 200000,
  customer_export_rows integer not null default 1000,
  second_factor_required boolean not null default false,
  session_minutes integer not null default 720,
  constraint dashboard_limits_amounts check (refund_step_up_amount >= 0 and refund_daily_amount >= 0 and customer_export_rows >= 0),
  constraint dashboard_limits_session check (session_minutes between 15 and 720)
);
comment on table dashboard_limits is 'What people of a business may do without proving again who they are (DSH-34). No row: the defaults.';
comment on column dashboard_limits.session_minutes is 'How long a sign-in lasts at most; production never allows more than 12 hours.';
comment on constraint dashboard_limits_amounts on dashboard_limits is 'In cents; 0 asks every time.';
comment on constraint dashboard_limits_session on dashboard_limits is 'Shorter than the default only.';

create table branding_draft (
  business_id uuid not null,
  user_id text not null,
  id uuid not null,
  draft jsonb not null,
  created_at timestamptz not null,
  primary key (business_id, user_id)
);
comment on table branding_draft is 'The look of the payment page that a person tries in the preview: the newest one only.';
comment on column branding_draft.id is 'In the URL of the preview, in place of the values.';

create table audit_chain (
  business_id uuid primary key,
  last_number bigint not null,
  last_hash bytea not null
);
comment on table audit_chain is 'The end of each business''s audit log. Its row is locked by the transaction that adds an entry.';

create table audit_entry (
  business_id uuid not null,
  number bigint not null,
  id uuid not null,
  created_at timestamptz not null,
  actor_kind text not null,
  actor_id text,
  actor_name text,
  action text not null,
  object_type text,
  object_id text,
  before jsonb,
  after jsonb,
  outcome text not null,
  request_id text,
  ip text,
  user_agent text,
  hash bytea not null,
  primary key (business_id, number),
  constraint audit_entry_once unique (business_id, id),
  constraint audit_entry_actor check (actor_kind in ('person', 'key', 'client', 'operator', 'system')),
  constraint audit_entry_outcome check (outcome in ('done', 'requested', 'refused'))
);
comment on table audit_entry is 'Who did what, in the order of their commits (DSH-15, DSH-16). Rows are added and never changed.';
comment on column audit_entry.number is 'From 1, without gaps, in each business.';
comment on column audit_entry.created_at is 'Real time, also where a test clock is ahead.';
comment on column audit_entry.hash is 'SHA-256 of the hash before it and of every other column, so that a changed, missing or moved row shows.';
comment on constraint audit_entry_once on audit_entry is 'An entry has one place in the chain.';
comment on constraint audit_entry_actor on audit_entry is 'The kinds of server/audit/actor.ts.';
comment on constraint audit_entry_outcome on audit_entry is
  'A call that moves money is requested: what became of it is in its operation.';
create index audit_entry_actor_rows on audit_entry (business_id, actor_id, number desc);
create index audit_entry_object_rows on audit_entry (business_id, object_id, number desc);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = '23001';
end $$;
create trigger audit_entry_stays before update or delete or truncate on audit_entry execute function refuse_audit_change();

create table refused_request (
  business_id uuid not null,
  id uuid not null,
  created_at timestamptz not null,
  method text not null,
  path text not null,
  status smallint not null,
  code text not null,
  param text,
  credential_kind text not null,
  credential_id text,
  ip text not null,
  request_id text not null,
  primary key (business_id, id)
);
comment on table refused_request is 'API calls of a merchant''s servers that were refused, for seven days. Never a body, a query or a value of a path.';
comment on column refused_request.path is 'The pattern of the route.';
create index refused_request_newest on refused_request (business_id, created_at desc, id desc);
create index refused_request_age on refused_request (created_at);

-- What the pages show of rows that were there before.

alter table business add column legal_name text;
comment on column business.legal_name is 'Printed on invoices; null: its name.';

alter table api_key add column created_by text;
comment on column api_key.created_by is 'The person who made it, by e-mail; null: the operator.';

alter table allowed_ip add column last_seen_at timestamptz;
comment on column allowed_ip.last_seen_at is
  'Of the newest call with an access token; null: none yet. Written at most once a minute by each process.';
