import { sql } from 'kysely'
import { findTerminal } from '../../server/businesses/terminal-queries.ts'
import { openStoredCard } from '../../server/customers/open-stored-card.ts'
import type { Db } from '../../server/db/connection.ts'
import { run, statement } from '../../server/db/statement.ts'
import { type Tx, transaction } from '../../server/db/transaction.ts'
import type { ApprovedResult } from '../../server/gateway/gateway.ts'
import type { FaultPlace } from '../../server/lib/fault-points.ts'
import { newId } from '../../server/lib/ids.ts'
import type { Cents } from '../../server/lib/money.ts'
import { charge, recordIntent } from '../../server/payments/charge/charge.ts'
import type { ChargePlan, Recording } from '../../server/payments/charge/charge-plan.ts'
import { approvalOf, declineOf } from '../../server/payments/charge/record-result.ts'
import { sendSale } from '../../server/payments/charge/send-sale.ts'
import { type AdoptingOwner, chargeOwners } from '../../server/payments/charge-owner.ts'
import { newSale } from '../../server/payments/new-operation.ts'
import type { ChargeOwnerKind, Operation } from '../../server/payments/operation.ts'
import { finalize, finalizeWithReversal, type Outcome } from '../../server/payments/operation-queries.ts'
import { newPayment } from '../../server/payments/payment.ts'
import { resolveOperations } from '../../server/payments/recovery/resolve-operations.ts'
import { insertSale, saleValues } from '../../server/payments/sale-queries.ts'
import type { ChargeServices } from '../../server/payments/services.ts'
import type { Card } from '../../server/vault/card.ts'
import type { ServiceWithClock } from './silent-gateway.ts'
import { type StoredCardIds, storeCard } from './stored-card.ts'

const AMOUNT = 4_900 as Cents

/** The result of a bill's charge for the job that runs it. */
export type BillResponse = 'paid' | 'declined' | 'blocked'

/** A test service with bills: an owner that adopts recovered approvals, charged by the service's own protocol. */
export interface BillOfTest {
  id: string
  /** The test service, with the owner of bills registered. */
  services: ChargeServices
  /**
   * @param stopAt the fault point where the process of this charge dies: the charge never resolves and writes nothing
   */
  charge(stopAt?: FaultPlace): Promise<BillResponse>
  resolve(): Promise<void>
  status(): Promise<'open' | 'paid'>
  /** Runs once during the next adoption: after the owner's record, before the operation is finalized. */
  duringAdoption(intrude: () => Promise<void>): void
}

/** A table of the test, until subscriptions bring bills. */
export async function openBill(service: ServiceWithClock): Promise<BillOfTest> {
  const { db } = service.app.services
  const stored = await storeCard(service, 'bill@example.com')
  const { business_id: businessId } = service.demo
  await sql`create table test_bill (business_id uuid, id uuid, status text not null, primary key (business_id, id))`.execute(
    db,
  )
  const id = newId()
  await sql`insert into test_bill values (${businessId}, ${id}, 'open')`.execute(db)
  const plugged = service.app.services
  const card = await openStoredCard(plugged, { businessId, ...stored, now: plugged.clock.now() })
  let intruder: (() => Promise<void>) | null = null
  const owner = billOwner(card, async () => {
    const intrude = intruder
    intruder = null
    await intrude?.()
  })
  const bills = chargeOwners([owner])
  const known = plugged.owners
  // The worker of this service also recovers bills.
  const services: ChargeServices = Object.assign(plugged, {
    owners: (kind: ChargeOwnerKind) => (kind === 'bill' ? bills(kind) : known(kind)),
  })
  return {
    id,
    services,
    async charge(stopAt) {
      const plan = await billPlan(services, { businessId, id, card, stored })
      if (!stopAt) return charge(services, plan)
      const begun = await recordIntent(services, plan)
      if (begun !== null && stopAt === 'after:gateway_result') await sendSale(services, plan)
      throw new Error(`The process died ${stopAt}`)
    },
    resolve: async () => void (await resolveOperations(services)),
    async status() {
      const { rows } = await sql<{ status: 'open' | 'paid' }>`select status from test_bill where id = ${id}`.execute(db)
      return rows[0]?.status ?? 'open'
    },
    duringAdoption(intrude) {
      intruder = intrude
    },
  }
}

const BEGIN = statement(
  'begin_bill_of_test',
  (p) => `with locked as (select id from test_bill where id = ${p.billId}::uuid and status = 'open' for no key update),
      begun as (${insertSale(p, 'bill', 'locked')})
    select id from locked`,
)

function billOwner(card: Card, written: () => Promise<void>): AdoptingOwner {
  return {
    kind: 'bill',
    onRecoveredApproval: 'adopt',
    unconfirmedMessage: 'The bill is paid, or charged again, once the outcome is known.',
    failed: async () => null,
    release: async () => {},
    async adopt(tx, sale, found) {
      await lockBill(tx, sale)
      await recordPaid(tx, sale, card, { outcome: 'approved', ...found })
      await written()
    },
  }
}

async function billPlan(
  services: ChargeServices,
  { businessId, id, card, stored }: { businessId: string; id: string; card: Card; stored: StoredCardIds },
): Promise<ChargePlan<string, BillResponse>> {
  const { db, clock, timings, vault } = services
  const terminal = await findTerminal(db, businessId, 'USD')
  if (!terminal) throw new Error('The demo business has no terminal')
  const operation = newSale(
    {
      businessId,
      owner: { kind: 'bill', id },
      terminal,
      amount: AMOUNT,
      card: { ...card, fingerprint: vault.fingerprint(businessId, card.number).value },
      storedCard: { id: stored.cardId, customerId: stored.customerId },
    },
    clock.now(),
    timings,
  )
  return {
    operation,
    card,
    request: { storedCredential: { initiator: 'merchant', reason: 'recurring', initial: false } },
    async begin() {
      const rows = await run<{ id: string }>(db, BEGIN, { ...saleValues(operation), billId: id })
      return rows[0]?.id ?? null
    },
    blocked: async () => 'blocked',
    approve: (result) => approval(db, operation, card, approvalOf(operation, result, clock.now()), result),
    decline(result) {
      const { outcome, reversal } = declineOf(operation, result, clock.now(), services)
      const write = () => (reversal ? finalizeWithReversal(db, outcome, reversal, null) : finalize(db, outcome))
      return { trigger: outcome.trigger, write, response: 'declined' }
    },
  }
}

function approval(
  db: Db,
  operation: Operation,
  card: Card,
  outcome: Outcome,
  result: ApprovedResult,
): Recording<BillResponse> {
  const write = () =>
    transaction(db, async (tx) => {
      await lockBill(tx, operation)
      const isWritten = await finalize(tx, outcome)
      if (isWritten) await recordPaid(tx, operation, card, result)
      return isWritten
    })
  return { trigger: outcome.trigger, write, response: 'paid' }
}

const lockBill = (tx: Tx, { owner }: Operation) =>
  sql`select from test_bill where id = ${owner.id} for no key update`.execute(tx)

async function recordPaid(tx: Tx, operation: Operation, card: Card, result: ApprovedResult): Promise<void> {
  const customerId = operation.storedCard?.customerId ?? null
  const amounts = { surchargeAmount: 0 as Cents, createdAt: new Date() }
  const payment = newPayment(operation, result, { card, customerId, ...amounts })
  await tx
    .insertInto('payment')
    .values({
      business_id: payment.businessId,
      id: payment.id,
      operation_id: payment.operationId,
      customer_id: customerId,
      stored_card_id: payment.storedCardId,
      status: 'succeeded',
      amount: payment.amount,
      currency: payment.currency,
      code: payment.code,
      message: payment.message,
      receipt_id: payment.receiptId,
      issuer_reference: payment.issuerReference,
      card_brand: payment.cardBrand,
      card_first6: payment.cardFirst6,
      card_last4: payment.cardLast4,
      source: payment.source,
      created_at: payment.createdAt,
    })
    .execute()
  await sql`update test_bill set status = 'paid' where id = ${operation.owner.id} and status = 'open'`.execute(tx)
}
