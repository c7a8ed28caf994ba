import type { LedgerRowView } from '../../server/gateway/simulator/ledger-row.ts'
import type { BookedBatch, Books } from './audit-books.ts'

type Found = { subject: string; detail: string }[]

/**
 * AUD-14: operations of a settled batch here are in the same batch at the gateway, and its totals are the gateway's.
 * Operations recorded during a settlement may still be without a batch.
 */
export function batchesAgree(books: Books): Found {
  const settled = books.batches.filter(({ status }) => status === 'settled')
  return settled.flatMap((batch) => [...membersAgree(books, batch), ...totalsAgree(books, batch)])
}

function membersAgree({ payments, refunds, operations, rows }: Books, { id, name, terminal }: BookedBatch): Found {
  const operationIds = [
    ...payments.filter(({ batchId }) => batchId === id).map(({ operationId }) => operationId),
    ...refunds.filter(({ batchId }) => batchId === id).map((refund) => refund.id),
  ]
  return operationIds.flatMap((operationId) => {
    const ref = operations.find((operation) => operation.id === operationId)?.merchantRef
    const row = rows.find((one) => one.recorded && one.terminal === terminal && one.merchantRef === ref)
    return row?.batch === name
      ? []
      : [{ subject: id, detail: `${ref} is in ${row?.batch} at the gateway, not in ${name}` }]
  })
}

function totalsAgree({ rows }: Books, { id, name, net }: BookedBatch): Found {
  const amountOf = (op: LedgerRowView['op']) =>
    rows
      .filter((row) => row.batch === name && row.op === op && row.state !== 'voided')
      .reduce((sum, { approvedAmount }) => sum + approvedAmount, 0)
  const theirs = amountOf('sale') - amountOf('refund')
  return theirs === net ? [] : [{ subject: id, detail: `settled with ${net}, the gateway settled ${theirs}` }]
}
