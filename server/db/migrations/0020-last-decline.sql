-- The last decline of a session is kept with its count of attempts, because no operation shows a verification or an
-- authentication that failed (CHK-35).

alter table checkout_session add column last_decline jsonb;
comment on column checkout_session.last_decline is
  '{code, message} of the last attempt that counted, in the words of the gateway; null before the first.';
update checkout_session s set last_decline = (
    select jsonb_build_object('code', o.code, 'message', o.message) from operation o
    where o.business_id = s.business_id and o.owner_id = s.id and o.counts_as_attempt
    order by o.sent_at desc limit 1)
  where s.attempt_count > 0 and s.status <> 'COMPLETED';
