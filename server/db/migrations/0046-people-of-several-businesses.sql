create table member_visit (
  business_id uuid not null,
  user_id text not null,
  last_seen_at timestamptz not null,
  constraint member_visit_pkey primary key (business_id, user_id),
  constraint member_visit_of_member foreign key (business_id, user_id)
    references business_member (business_id, user_id) on delete cascade
);
comment on table member_visit is 'When a person was last seen in a business: a team sees nothing of visits to another one (DSH-93).';
comment on column member_visit.business_id is 'Where they were seen.';
comment on column member_visit.user_id is 'Who was seen.';
comment on column member_visit.last_seen_at is 'Written once in 15 seconds at most; calls that a page makes by itself do not count.';
comment on constraint member_visit_of_member on member_visit is 'Goes with the membership.';

-- A reset that waits is worth as much as the right of the business that asked for it, which the rows do not name.
delete from factor_reset;
alter table factor_reset add column business_id uuid not null;
comment on column factor_reset.business_id is 'Which business asked: when it is due, the person must belong to that one alone (DSH-36).';

comment on column audit_entry.business_id is 'Whose log it is: that of a business, or that of a person (auth_user.id) for what belongs to their account.';
comment on column audit_chain.business_id is 'A business, or a person (auth_user.id).';
