import { Batch, BatchList, BatchResponse, type CheckoutBatch } from '../../../contract/batch.ts'
import { EXAMPLE_IDS } from '../../../contract/example-ids.ts'
import { PaymentList } from '../../../contract/payment.ts'
import type { RouteDocument } from '../../http/route.ts'
import { PAYMENT_EXAMPLE } from '../payment-example.ts'

const group = 'Batches'

const COUNTS = { sales_count: 2, refunds_count: 1, voids_count: 0 }

const BATCH_EXAMPLE: Batch = {
  id: EXAMPLE_IDS.batch,
  object: 'batch',
  number: 12,
  status: 'settled',
  terminal_id: EXAMPLE_IDS.terminal,
  currency: 'usd',
  opened_at: 1763740860,
  settled_at: 1763787600,
  settlement_reference: 'SIM7K2M9-812',
  ...COUNTS,
  sales_amount: 5000,
  refunds_amount: 500,
  voids_amount: 0,
  net_amount: 4500,
  by_brand: [{ brand: 'visa', count: 2, amount: 5000 }],
  created: 1763701200,
}

const CHECKOUT_EXAMPLE: CheckoutBatch = {
  id: EXAMPLE_IDS.batch,
  number: 12,
  status: 'open',
  terminal_id: EXAMPLE_IDS.terminal,
  currency: 'USD',
  opened_at: '2026-11-22T14:21:00.000Z',
  ...COUNTS,
  sales_amount: 50,
  refunds_amount: 5,
  voids_amount: 0,
  net_amount: 45,
  by_brand: [{ brand: 'visa', count: 2, amount: 50 }],
}

/** Documents of the batch routes. */
export const BATCH_DOCUMENTS = {
  balance: {
    name: 'retrieveBatchBalance',
    group,
    summary: 'Retrieve the balance of the open batch',
    description:
      'What the gateway would settle now, of the terminal for the currency of the business or for `currency`.',
    responses: {
      200: {
        description: 'The open batch.',
        body: BatchResponse,
        example: { ok: true, message: 'The open batch', batch: CHECKOUT_EXAMPLE },
      },
    },
    refusals: ['batch_failed'],
  },
  settle: {
    name: 'settleBatch',
    group,
    summary: 'Settle the open batch',
    description: `Payments of a settled batch can be refunded, no longer voided. With \`expected_net_amount\` a batch of
another net amount is not settled. When the outcome could not be determined in time the response is 417 with the code
\`gateway_timeout\`: it is being resolved, and the batch shows it. Do not repeat the request before.`,
    responses: {
      200: {
        description: 'The batch, settled.',
        body: BatchResponse,
        example: {
          ok: true,
          message: 'The batch is settled',
          batch: {
            ...CHECKOUT_EXAMPLE,
            status: 'settled',
            settled_at: '2026-11-22T23:00:00.000Z',
            settlement_reference: 'SIM7K2M9-812',
          },
        },
      },
    },
    refusals: ['batch_failed', 'conflict'],
    example: {},
  },
  list: {
    name: 'listBatches',
    group,
    summary: 'List batches',
    description: 'Newest first, the open one of each terminal included.',
    responses: {
      200: {
        description: 'A page of batches.',
        body: BatchList,
        example: { object: 'list', data: [BATCH_EXAMPLE], has_more: false },
      },
    },
  },
  retrieve: {
    name: 'retrieveBatch',
    group,
    summary: 'Retrieve a batch',
    description: 'A batch has an id once its settlement begins.',
    responses: { 200: { description: 'The batch.', body: Batch, example: BATCH_EXAMPLE } },
  },
  listPayments: {
    name: 'listBatchPayments',
    group,
    summary: 'List the payments of a batch',
    description: 'Payments of every kind, newest first. `batch` of a payment is `null` until its settlement begins.',
    responses: {
      200: {
        description: 'A page of payments.',
        body: PaymentList,
        example: {
          object: 'list',
          data: [{ ...PAYMENT_EXAMPLE, batch: EXAMPLE_IDS.batch }],
          has_more: false,
        },
      },
    },
  },
} satisfies Record<string, RouteDocument>
