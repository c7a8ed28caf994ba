-- Letters are tried for a day from their first attempt, and deleted some months after their last.

alter table letter add column first_attempt_at timestamptz;
comment on column letter.first_attempt_at is 'Real time. The letter fails a day later (LTR-11); null before the first attempt.';
create index letter_finished on letter (finished_at) where finished_at is not null;
