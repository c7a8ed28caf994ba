-- Codes and links in letters let in whoever has them. A letter is stored without its link, which is put in when it is
-- sent: that of a customer is made anew from the object it names, that of a person is sealed and wiped once it was sent.

alter table letter add column link_id uuid, add column sealed_link bytea;
comment on column letter.link_id is 'What the link of a letter to a customer names; the link is made from it when the letter is sent.';
comment on column letter.sealed_link is 'The link with a code in a letter to a person, sealed for this row. Wiped once it is sent or given up.';

update notification set data = data - 'code' where type in ('person.password_reset', 'person.invited');
delete from letter where html ~ '/customer/checkout/[A-Za-z0-9_-]{64}' or html ~ '/dashboard/(reset|welcome)#';
