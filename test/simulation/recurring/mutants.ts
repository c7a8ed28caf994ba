import { registerHooks } from 'node:module'

// Defects that the simulation must find. Each is a change of one file as it is loaded, so the product knows nothing of
// them.

export interface Mutant {
  name: string
  /** Path below server/. */
  file: string
  find: string
  replace: string
}

export const MUTANTS: Mutant[] = [
  {
    name: 'months are added to the previous date',
    file: 'subscriptions/lifecycle/open-bill.ts',
    find: 'const periodEnd = dayOfPeriod(subscription, nextPeriodNo + 1)',
    replace: 'const periodEnd = dayOfPeriod({ ...subscription, anchorDate: periodStart }, 1)',
  },
  {
    name: 'the end of a month is sticky',
    file: 'subscriptions/plan/calendar.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text of a program.
    find: 'return toDay(plain(anchor).add({ [`${interval}s`]: count * k }))',
    replace: `const from = plain(anchor)
      const at = from.add({ [\`\${interval}s\`]: count * k })
      const isSticky = from.day === from.daysInMonth && (interval === 'month' || interval === 'year')
      return toDay(isSticky ? at.with({ day: at.daysInMonth }) : at)`,
  },
  {
    name: 'a retry moves the anchor',
    file: 'subscriptions/lifecycle/bill-outcome.ts',
    find: 'const billed = paidFor(subscription, bill, { paymentId, now })',
    replace: `const paid = paidFor(subscription, bill, { paymentId, now })
      const billed = bill.failedAttempts === 0 ? paid : { ...paid, anchorDate: dayOf(now, subscription.timeZone) }`,
  },
  {
    name: 'a bill is charged before the pause of its day',
    file: 'subscriptions/lifecycle/next-step.ts',
    find: 'if (passed) return',
    replace: "if (passed && passed.event !== 'subscription.paused') return",
  },
  {
    name: 'the last installment is not counted',
    file: 'subscriptions/lifecycle/bill-outcome.ts',
    find: 'const isCompleted = billed.paidBills === billed.installments',
    replace: 'const isCompleted = billed.paidBills === (billed.installments ?? 0) + 1',
  },
  {
    name: 'preserved time is carried beyond the schedule',
    file: 'subscriptions/plan/resume-terms.ts',
    find: ': returnToSchedule(input, today)',
    replace: `: returnToSchedule(input, dayOf(new Date(input.now.getTime() + input.remainingSeconds * 1_000), input.zone))`,
  },
  {
    name: 'days are those of UTC',
    file: 'subscriptions/plan/calendar.ts',
    find: 'const milliseconds = plain(day).toZonedDateTime(zone).epochMilliseconds',
    replace: "const milliseconds = plain(day).toZonedDateTime('UTC').epochMilliseconds",
  },
  {
    name: 'an unknown outcome counts as declined',
    file: 'payments/charge/record-result.ts',
    find: "case 'unknown':",
    replace: `case 'unknown':
      if (begun) return recordDecline(services, plan, { outcome: 'declined', code: 'ND', message: 'silence' }, begun)`,
  },
  {
    name: 'preserved time is rounded down',
    file: 'subscriptions/plan/calendar.ts',
    find: 'while (instantOf(day, zone) < instant) day = addDays(day, 1)',
    replace: '',
  },
  {
    name: 'what rounding preserved time adds counts as paid',
    file: 'subscriptions/resume/resumed.ts',
    find: 'from: instantOf(terms.newPeriodStart, timeZone), throughAt }',
    replace: 'from: instantOf(terms.newPeriodStart, timeZone), throughAt: instantOf(terms.newPeriodEnd, timeZone) }',
  },
  {
    name: 'a skipped period is billed later',
    file: 'subscriptions/lifecycle/open-bill.ts',
    find: 'if (periodEnd > today) break',
    replace: 'if (periodEnd > today || today) break',
  },
  {
    name: 'NC stops the bill but not the card',
    file: 'subscriptions/bills/bill-record.ts',
    find: 'return { ...record, chargeBlock }',
    replace: 'return { ...record, chargeBlock: null }',
  },
  {
    name: 'an inquiry loses the advice of a decline',
    file: 'payments/recovery/resolve-sale.ts',
    find: ', ...(advice && { advice })',
    replace: '',
  },
  {
    name: 'the decline of a resume that is found leaves no payment',
    file: 'subscriptions/resume/subscription-resume-owner.ts',
    find: 'await recordPayment(tx, payment)',
    replace: '',
  },
  {
    name: 'a declined void whose response was lost is sent again for ever',
    file: 'payments/voids/resolve-void.ts',
    find: "own.found === true && own.transaction.state === 'declined'",
    replace: 'own.found === true && false',
  },
  {
    name: 'a refund that is found is not counted',
    file: 'payments/refunds/resolve-refund.ts',
    find: 'await recordRefunded(services, refund, approvedRefund(found))',
    replace: "await recordFailedRefund(services, refund, { reason: 'declined', trigger: 'declined', message: '' })",
  },
  {
    name: 'a settlement without a result counts as failed',
    file: 'payments/batches/settle-batch.ts',
    find: 'return unlessDecided(services, batch)',
    replace: 'if (await recordFailedSettlement(services, batch)) throw batchFailed("", { code: "", message: "" })',
  },
  {
    name: 'a replaced card is charged on',
    file: 'subscriptions/lifecycle/replace-card.ts',
    find: 'storedCardId: card.id,',
    replace: 'storedCardId: subscription.storedCardId,',
  },
  {
    name: 'the refunds of a payment have no event',
    file: 'payments/refunds/record-refund.ts',
    find: 'await recordEvent(tx, eventOf(refund, { before: payment, after }, businessNow(clock, business)))',
    replace:
      'if (refund.status !== "succeeded") await recordEvent(tx, eventOf(refund, { before: payment, after }, businessNow(clock, business)))',
  },
  {
    name: 'a pause keeps the open bill',
    file: 'subscriptions/lifecycle/end-billing.ts',
    find: "bills: bill && !isCharging ? [closedBill(bill, 'paused', at)] : [],",
    replace: 'bills: [],',
  },
  {
    name: 'the tax is rounded down',
    file: 'subscriptions/plan/amounts.ts',
    find: "const tax = proportionOf(baseAmount, taxRatePpm ?? 0, PPM, 'half_up')",
    replace: "const tax = proportionOf(baseAmount, taxRatePpm ?? 0, PPM, 'down')",
  },
  {
    name: 'amounts are fractions',
    file: 'subscriptions/plan/amounts.ts',
    find: 'return Number(rounded) as Cents',
    replace: 'return (rounded >= 0n ? Number((amount * (numerator / denominator)).toFixed(0)) : 0) as Cents',
  },
  {
    name: 'a fifth attempt',
    file: 'subscriptions/plan/retries.ts',
    find: '[0, 3, 3, 3] as const',
    replace: '[0, 3, 3, 3, 3] as const',
  },
  {
    name: 'unused time counts from the day',
    file: 'subscriptions/plan/prepaid.ts',
    find: 'Math.floor(instant.getTime() / 1_000) * 1_000',
    replace: 'Math.floor(instant.getTime() / 86_400_000) * 86_400_000',
  },
  {
    name: 'a void leaves the period paid',
    file: 'subscriptions/lifecycle/unpay-period.ts',
    find: 'after: { ...subscription, paid: { ...paid, paymentId: null, throughAt: paid.from } }',
    replace: 'after: subscription',
  },
  {
    name: 'a process that stood still records its result',
    file: 'payments/sale-queries.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text of a program.
    find: "and operation.epoch = ${p.epoch}::integer and state in ('SENT', 'IN_DOUBT')",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text of a program.
    replace: 'and ${p.epoch}::integer > 0',
  },
  {
    name: 'a cancel at the end of the period comes a second late',
    file: 'subscriptions/lifecycle/pass-boundary.ts',
    find: 'cancelAt !== null && cancelAt <= now',
    replace: 'cancelAt !== null && cancelAt < now',
  },
  {
    name: 'a quote outlives its day',
    file: 'subscriptions/resume/resumable.ts',
    find: `newPeriodStart: terms.newPeriodStart,
    newPeriodEnd: terms.newPeriodEnd,
    quotedOn: dayOf(now, subscription.timeZone),`,
    replace: `newPeriodStart: '', newPeriodEnd: '', quotedOn: ''`,
  },
  {
    name: 'everything that was missed is billed',
    file: 'subscriptions/lifecycle/next-step.ts',
    find: 'if (isTooMuchMissed(loaded, now, settings))',
    replace: 'if (isTooMuchMissed(loaded, now, settings) && dueAt === null)',
  },
  {
    name: 'more than three missed dates wait, whatever the business has set',
    file: 'subscriptions/lifecycle/open-bill.ts',
    find: 'missed > missedDatesMax',
    replace: 'missed > 3',
  },
  {
    name: 'a bill is charged when its day begins, whatever the business has set',
    file: 'subscriptions/lifecycle/next-step.ts',
    find: 'if (runAt <= now)',
    replace: 'if (runAt)',
  },
  {
    name: 'a retry is made when its day begins, whatever the business has set',
    file: 'subscriptions/lifecycle/bill-outcome.ts',
    find: 'timeOn(day, billingRunLocalTime, subscription.timeZone)',
    replace: 'instantOf(day, subscription.timeZone)',
  },
  {
    name: 'a pause while a charge is open',
    file: 'subscriptions/lifecycle/pausable.ts',
    find: "if (mode === 'immediate' && isCharging)",
    replace: "if (mode === 'immediate' && isCharging && pause !== null)",
  },
  {
    name: 'a disabled endpoint goes on receiving',
    file: 'events/event-queries.ts',
    find: "where w.status = 'enabled' and w.deleted_at is null",
    replace: 'where w.deleted_at is null',
  },
  {
    name: 'an endpoint receives what it did not ask for',
    file: 'events/event-queries.ts',
    find: "and w.enabled_events && array['*', e.type]",
    replace: '',
  },
  {
    name: 'what waits for a disabled endpoint is sent once it is enabled',
    file: 'events/webhooks/change-endpoint.ts',
    find: 'export async function changeEndpoint(services: ChangeServices, given: Change): Promise<WebhookEndpoint> {',
    replace: `export async function changeEndpoint(services: ChangeServices, given: Change): Promise<WebhookEndpoint> {
      if (given.change.status !== undefined) return writeChange(services, given)`,
  },
  {
    name: 'a refund that died before it was sent fails',
    file: 'payments/refunds/resolve-refund.ts',
    find: 'return sendAgain(services, refund)',
    replace: `await recordFailedRefund(services, refund, { reason: 'declined', trigger: 'declined', message: '' })
      return 'resolved'`,
  },
  {
    name: 'a void that died before it was sent fails',
    file: 'payments/voids/resolve-void.ts',
    find: 'if (!(await renewDeadline(db, operation, deadlineAt))) return { notFoundSince: null }',
    replace: "if (operation.amount > 0) return resolvedIf(await recordFailedVoid(services, operation, 'declined', ''))",
  },
  {
    name: 'recovery does not see that a batch is settled',
    file: 'payments/batches/resolve-settlements.ts',
    find: "finding.batch.state === 'settled'",
    replace: "finding.batch.name === 'settled'",
  },
  {
    name: 'the page of a link never expires',
    file: 'subscriptions/sign-up/open-link.ts',
    find: "status === 'PENDING' && expiresAt > now",
    replace: "status === 'PENDING'",
  },
  {
    name: 'a card that was not verified is charged later',
    file: 'subscriptions/create/create-subscription.ts',
    find: "if (verification.outcome === 'unavailable') throw notVerified()",
    replace: '',
  },
]

/**
 * Applies a mutant to everything that is imported from now on.
 *
 * @returns a function to call afterwards, which returns whether its file was loaded with the change
 */
export function installMutant({ file, find, replace }: Mutant): () => boolean {
  let isApplied = false
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.endsWith(`/server/${file}`)) return loaded
      const source = String(loaded.source)
      if (!source.includes(find)) throw new Error(`The text of the mutant is not in ${file}: ${find}`)
      isApplied = true
      return { ...loaded, source: source.replace(find, () => replace) }
    },
  })
  return () => isApplied
}
