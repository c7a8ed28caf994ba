-- Searches compare texts without case, accents and typographic apostrophes, and by their words in any order. Of customers and
-- sessions, which may be millions, the form is kept beside the text; older rows have none, and it is made when they are read. On a
-- large table, run by hand what is before the indexes, then each `create index` with `concurrently`, before this file.

create or replace function search_form(given text) returns text
language plpgsql immutable strict parallel safe cost 1 as $$
begin
  if octet_length(given) = char_length(given) then
    given := lower(given collate "C");
    -- Few texts have such characters, and a search looks at many.
    if given ~ '[-,;''`"\\]' then
      given := replace(translate(given, E'-,;\'`"', '   '), '\', 'x134');
    end if;
    return ' ' || given;
  end if;
  given := normalize(regexp_replace(given, '[\u00a8\u00af\u00b4\u00b8\u02d8-\u02dd\u037a\u0384\u0385\u1fbd\u1fbf-\u1fc1\u1fcd-\u1fcf\u1fdd-\u1fdf\u1fed\u1fee\u1ffd\u1ffe]+', '', 'g'), nfkd);
  given := lower(regexp_replace(given,
    '[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u061c\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u08ca-\u08e1\u08e3-\u08ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef]+', '', 'g'));
  given := regexp_replace(given, '[-,;\u05be\u060c\u061b\u2010\u2012-\u2015\u2043\u2212\u3001\u30fb]', ' ', 'g');
  given := regexp_replace(given,
    '[''`"\u00ab\u00b7\u00bb\u02b9-\u02bf\u02c8\u02ca\u02cb\u055a\u05f3\u05f4\u07f4\u07f5\u2018-\u201f\u2032\u2035\u2039\u203a\ua78b\ua78c]+', '', 'g');
  -- Few texts have such letters, and to translate a long list takes long.
  if given ~ '[øłđðħŧıŋəɛɔɓɗƙƴɖƒɨʉǝʋƶǥɲȷĸςٱىیکةہھ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९ßæœþ]' then
    given := translate(given,
      'øłđðħŧıŋəɛɔɓɗƙƴɖƒɨʉǝʋƶǥɲȷĸςٱىیکةہھ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९',
      'olddhtineeobdkydfiuevzgnjkσاييكههه012345678901234567890123456789');
    given := replace(replace(replace(replace(given, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
  end if;
  -- Trigrams know no other letters where the locale of the database is C.
  return ' ' || replace(encode(convert_to(replace(given, '\', 'x134'), 'UTF8'), 'escape'), '\', 'x');
end $$;
comment on function search_form(text) is
  'A text as searches compare it; contract/search-text.ts does the same. Each byte of a letter that is not ASCII, and the backslash, is x and three octal digits.';

alter table customer add column if not exists searched text;
comment on column customer.searched is
  'search_form of e-mail and name, written with them. Null in rows that are older than this column.';

alter table checkout_session add column if not exists searched text;
comment on column checkout_session.searched is
  'search_form of search_text, written with it. Null in rows that are older than this column.';

create index if not exists customer_search_form on customer using gin
  (business_id, coalesce(searched, search_form(coalesce(email, '') || ' ' || coalesce(name, ''))) gin_trgm_ops);
comment on index customer_search_form is 'Words of a name and an e-mail find customers, and the sessions that they pay.';
create index if not exists checkout_session_search_form on checkout_session
  using gin (business_id, coalesce(searched, search_form(search_text)) gin_trgm_ops);
comment on index checkout_session_search_form is 'Words of a name and an e-mail find sessions without reading the others.';
create index if not exists product_search_form on product using gin (business_id, search_form(name) gin_trgm_ops);
comment on index product_search_form is 'Fields that choose a product or a price find them by words of the name (DSH-45).';
create index if not exists price_search_form on price
  using gin (business_id, search_form(coalesce(nickname, '') || ' ' || coalesce(metadata ->> 'reference', '')) gin_trgm_ops);
comment on index price_search_form is 'The same of the price''s own words. Prices change rarely (DSH-45).';
create index if not exists contract_search_form on contract
  using gin (business_id, search_form(title || ' ' || coalesce(signed_name, '')) gin_trgm_ops);
comment on index contract_search_form is 'Contracts change a few times at most: a draft, sent, signed.';
create index if not exists subscription_reference_form on subscription_reference
  using gin (business_id, search_form(reference) gin_trgm_ops);
comment on index subscription_reference_form is 'The search finds subscriptions by words of their reference.';
create index if not exists session_reference_form on session_reference
  using gin (business_id, search_form(reference) gin_trgm_ops);
comment on index session_reference_form is 'The search finds sessions by words of their reference and description.';
create index if not exists subscription_reference_beginning
  on subscription (business_id, search_form(metadata ->> 'reference') text_pattern_ops) where metadata ? 'reference';
comment on index subscription_reference_beginning is
  'The list filters by the beginning of a reference. Written only where the metadata has one.';

-- What the old version searches by is slower from here on, and the same.
drop index customer_search, checkout_session_search, product_search, price_search, contract_search,
  subscription_reference_search, session_reference_search, subscription_of_reference;
alter index customer_search_form rename to customer_search;
alter index checkout_session_search_form rename to checkout_session_search;
alter index product_search_form rename to product_search;
alter index price_search_form rename to price_search;
alter index contract_search_form rename to contract_search;
alter index subscription_reference_form rename to subscription_reference_search;
alter index session_reference_form rename to session_reference_search;
alter index subscription_reference_beginning rename to subscription_of_reference;
