-- A signature from where a member of the business signed in lately is marked (SUB-152).

create table member_trace (
  business_id uuid not null,
  user_id text not null,
  trace text not null,
  last_seen_at timestamptz not null,
  primary key (business_id, trace, user_id)
);
comment on table member_trace is
  'From which addresses and browsers members of a business signed in or worked, for 30 days, also after their removal.';
comment on column member_trace.trace is
  '`ip` and an address, of IPv6 its /64; or `browser` and the SHA-256 of the token of a session, which its cookie has.';
comment on column member_trace.last_seen_at is 'Real time. Written once in 15 seconds at most.';
create index member_trace_age on member_trace (last_seen_at);
comment on index member_trace_age is 'What can be deleted.';

alter table contract add column team_seen_there boolean;
comment on column contract.team_seen_there is
  'Whether a member was seen at the address or in the browser of the signature in the 30 days before it; null before it, and of signatures before this was looked at.';
