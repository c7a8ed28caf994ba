-- The name of the company behind a shop, and looks that are tried.

alter table business add column legal_name text;
comment on column business.legal_name is 'Printed on invoices; null: its name.';

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
