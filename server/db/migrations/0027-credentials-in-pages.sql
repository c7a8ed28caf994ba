-- A server's credential that a page sent: every visitor of that page could read it.

alter table api_key add column seen_in_page_at timestamptz, add column seen_on_origin text;
comment on column api_key.seen_in_page_at is 'When a page last sent this key (ACC-34). Written once a minute.';
comment on column api_key.seen_on_origin is 'The Origin that the browser named; null when it named none.';

alter table oauth_client add column seen_in_page_at timestamptz, add column seen_on_origin text;
comment on column oauth_client.seen_in_page_at is
  'When a page last sent an access token of this client (ACC-34). Written once a minute; null again when its tokens are ended.';
comment on column oauth_client.seen_on_origin is 'The Origin that the browser named; null when it named none.';
