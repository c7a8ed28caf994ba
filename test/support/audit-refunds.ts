import type { BookedPayment, BookedRefund, Books } from './audit-books.ts'

// The audit's rules for refunds and voids.

type Found = { subject: string; detail: string }[]

/** AUD-7: the payment, its refunds, their operations and the gateway's refunds agree. */
export function refundsAgree(books: Books): Found {
  return [
    ...books.payments.flatMap((payment) => amountsAgree(books, payment)),
    ...books.refunds.flatMap((refund) => isBacked(books, refund)),
  ]
}

function amountsAgree({ rows, refunds, saleOf }: Books, { id, operationId, refunded, pending }: BookedPayment): Found {
  const sale = saleOf(operationId)
  const given = rows.filter(({ op, originalGatewayRef }) => op === 'refund' && originalGatewayRef === sale?.gatewayRef)
  const total = given.reduce((sum, row) => sum + row.approvedAmount, 0)
  const ofStatus = (status: string) =>
    refunds
      .filter((refund) => refund.paymentId === id && refund.status === status)
      .reduce((sum, { amount }) => sum + amount, 0)
  const inFlight = total - refunded
  // Refunds that the gateway has made and we have not recorded yet must be reserved.
  const isRight =
    ofStatus('succeeded') === refunded && ofStatus('pending') === pending && inFlight >= 0 && inFlight <= pending
  return isRight
    ? []
    : [{ subject: id, detail: `refunded ${refunded}, pending ${pending}, the gateway gave back ${total}` }]
}

const STATES: Record<string, string[]> = {
  pending: ['SENT', 'IN_DOUBT'],
  succeeded: ['APPROVED'],
  failed: ['DECLINED', 'NOT_SENT'],
}

function isBacked({ operations, rows }: Books, { id, status, amount }: BookedRefund): Found {
  const operation = operations.find((one) => one.id === id)
  const made = rows.filter(
    ({ op, merchantRef, approvedAmount }) =>
      op === 'refund' && merchantRef === operation?.merchantRef && approvedAmount > 0,
  )
  const moved = made.reduce((sum, row) => sum + row.approvedAmount, 0)
  const isExpected =
    status === 'pending' ? moved === 0 || moved === amount : moved === (status === 'succeeded' ? amount : 0)
  if (
    operation?.kind === 'refund' &&
    operation.amount === amount &&
    STATES[status]?.includes(operation.state) &&
    isExpected
  )
    return []
  return [{ subject: id, detail: `${status}, but ${operation?.state}, and the gateway gave back ${moved}` }]
}

/** AUD-3: a voided payment is voided at the gateway, and an approved void voided its payment. */
export function voidsAgree({ payments, operations, saleOf }: Books): Found {
  return payments.flatMap(({ id, operationId, status }) => {
    const voids = operations.filter(
      ({ kind, parentId, state }) => kind === 'void' && parentId === operationId && state === 'APPROVED',
    )
    const isVoided = status === 'voided'
    const isRight = isVoided ? voids.length === 1 && saleOf(operationId)?.state === 'voided' : voids.length === 0
    return isRight ? [] : [{ subject: id, detail: `${status}, with ${voids.length} approved voids` }]
  })
}

/** AUD-9: a finished refund and a void each have one event. */
export function oneEventARefund({ refunds, payments, events }: Books): Found {
  const ofRefunds = refunds.flatMap(({ id, status }) => {
    const types = events.filter((event) => event.refundId === id || event.objectId === id).map(({ type }) => type)
    const expected = status === 'failed' ? /^refund\.failed$/ : /^payment\.(?:partially_)?refunded$/
    const isRight = status === 'pending' ? types.length === 0 : types.length === 1 && expected.test(types[0] ?? '')
    return isRight ? [] : [{ subject: id, detail: `${status} has the events [${types}]` }]
  })
  const ofPayments = payments.flatMap(({ id, status }) => {
    const count = (type: string) => events.filter((event) => event.objectId === id && event.type === type).length
    const isRight =
      count('payment.voided') === Number(status === 'voided') &&
      count('payment.refunded') === Number(status === 'refunded')
    return isRight
      ? []
      : [
          {
            subject: id,
            detail: `${status}, with ${count('payment.voided')} voids and ${count('payment.refunded')} whole refunds reported`,
          },
        ]
  })
  return [...ofRefunds, ...ofPayments]
}
