-- Endpoints behind HTTP basic authentication: what a URL names before its host is kept apart from it, and shown nowhere.

alter table webhook_endpoint add column basic_auth bytea;
comment on column webhook_endpoint.basic_auth is
  'Sealed for the origin of url: user name, colon and password of HTTP basic authentication; null without one (EVT-144).';
