import { simulatorGateway } from '../../server/gateway/adapters/simulator/simulator-gateway.ts'
import { addSeconds } from '../../server/lib/clock.ts'
import { newId } from '../../server/lib/ids.ts'
import type { Cents } from '../../server/lib/money.ts'
import { countFindings } from '../../server/payments/reconciliation/count-findings.ts'
import { listFindings } from '../../server/payments/reconciliation/finding-queries.ts'
import { reconcileDay } from '../../server/payments/reconciliation/reconcile-day.ts'
import { reconcileDaysJob } from '../../server/payments/reconciliation/reconciliation-jobs.ts'
import { listTerminals, type ReconciledTerminal } from '../../server/payments/reconciliation/reconciliation-queries.ts'
import { CARDS } from './card-numbers.ts'
import { merchantOf, payBody, payerOf } from './merchant.ts'
import { moneyRows } from './money-rows.ts'
import type { TestService } from './service.ts'
import type { ServiceWithClock } from './silent-gateway.ts'

// The steps of reconciliation tests: pay, act at the gateway without the service, compare.

/** Returns the current day at the gateway. */
export const today = () => new Date().toISOString().slice(0, 10)

/** Returns the terminal of the demo business in US dollars. */
export async function terminalOf({ app, demo }: TestService): Promise<ReconciledTerminal> {
  const terminals = await listTerminals(app.services.db, demo.business_id)
  const terminal = terminals.find(({ currency }) => currency === 'USD')
  if (!terminal) throw new Error('The demo business has no terminal')
  return terminal
}

/** Pays a new session and returns the reference of its sale. */
export async function paidSale(service: TestService, cardNumber?: string): Promise<string> {
  const token = await merchantOf(service).sessionToken()
  await payerOf(service).pay(token, payBody(cardNumber))
  await using book = moneyRows(service.databaseUrl)
  return (await book.operations('sale')).at(-1)?.merchant_ref ?? ''
}

/** Returns the gateway as another system with the same account uses it. */
export async function behindOurBack(service: TestService) {
  const { merchantCode, currency } = await terminalOf(service)
  const gateway = simulatorGateway(service.simulatorAccess)
  const shared = () => ({
    terminal: { id: merchantCode, currency },
    merchantRef: `x-${newId().slice(-12)}`,
    signal: AbortSignal.timeout(10_000),
  })
  const gatewayRefOf = async (merchantRef: string) =>
    (await service.simulator.rows({ merchantRef, terminal: merchantCode })).find(({ recorded }) => recorded)
      ?.gatewayRef ?? ''
  return {
    async sell(merchantRef = shared().merchantRef, number = CARDS.visa) {
      const source = { kind: 'pan', number, expMonth: 12, expYear: 2090 } as const
      await gateway.sale({ ...shared(), merchantRef, amount: 4200 as Cents, currency, source })
      return merchantRef
    },
    async void(merchantRef: string) {
      return gateway.void({
        ...shared(),
        gatewayRef: await gatewayRefOf(merchantRef),
        originalMerchantRef: merchantRef,
      })
    },
    async refund(merchantRef: string, amount: number) {
      const original = { gatewayRef: await gatewayRefOf(merchantRef), originalMerchantRef: merchantRef }
      return gateway.refund({ ...shared(), ...original, amount: amount as Cents })
    },
    gatewayRefOf,
    [Symbol.asyncDispose]: () => gateway.close(),
  }
}

/** Compares the day of a terminal with the gateway. */
export async function reconcile(service: TestService, day = today()) {
  return reconcileDay(service.app.services, { terminal: await terminalOf(service), day })
}

/** Returns all findings as `kind state reference ours/theirs`, oldest first. */
export async function findings({ app }: TestService): Promise<string[]> {
  const found = await listFindings(app.services.db, { withResolved: true, limit: 1000 })
  return found
    .reverse()
    .map((one) => `${one.kind} ${one.state} ${one.merchantRef} ${one.ourState ?? '–'}/${one.gatewayState ?? '–'}`)
}

export async function openByKind({ app }: TestService): Promise<Record<string, number>> {
  const { byKind } = await countFindings(app.services.db)
  return Object.fromEntries(Object.entries(byKind).filter(([, open]) => open > 0))
}

/** Sets the clock to the night after this day and runs the scheduled job. */
export async function nightlyJob({ app, clock }: ServiceWithClock): Promise<void> {
  const night = nightAfter(clock.now())
  clock.advance((night.getTime() - clock.now().getTime()) / 1000)
  await reconcileDaysJob.run(app.services, {})
}

/** Returns a minute after the hour at which the day of `now` is first compared as a past day. */
function nightAfter(now: Date): Date {
  const night = addSeconds(now, 86_400)
  night.setUTCHours(2, 1, 0, 0)
  return night
}
