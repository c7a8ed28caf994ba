-- jsonb orders the members of an object anew, json keeps the text: a repeated request gets the bytes of the first
-- response (PAY-27, SUB-32). Both tables hold one day. Values that an older process writes as jsonb are converted.

alter table sale_request alter column response type json;
alter table resume_request alter column response type json;
comment on column sale_request.response is 'Exactly as it was sent; null while the sale is open, or when nobody got a response.';
comment on column resume_request.response is
  'Status and body, exactly as they were sent; null while the resume runs, or when nobody got a response.';
