create index product_search on product using gin (business_id, lower(name) gin_trgm_ops);
comment on index product_search is 'Fields that choose a product or a price find them by a part of the name (DSH-45).';
create index price_search on price
  using gin (business_id, (lower(coalesce(nickname, '') || ' ' || coalesce(metadata ->> 'reference', ''))) gin_trgm_ops);
comment on index price_search is 'The same of the price''s own words. Prices change rarely (DSH-45).';
