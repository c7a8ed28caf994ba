import type { BatchTotals } from '../../gateway/gateway.ts'
import type { Cents } from '../../lib/money.ts'

/**
 * Returns the recorded totals of a settled batch, plus what Rialto reversed in it, minus the totals that the gateway
 * settled. A difference in voids alone does not count, because voids move no money.
 *
 * @returns `null` when sales and refunds agree in count and amount
 * @see REF-93
 */
export function batchDifference(ours: BatchTotals, reversals: BatchTotals, theirs: BatchTotals): BatchTotals | null {
  const minus = (figure: keyof BatchTotals) => ours[figure] + reversals[figure] - theirs[figure]
  const difference: BatchTotals = {
    salesCount: minus('salesCount'),
    salesAmount: minus('salesAmount') as Cents,
    refundsCount: minus('refundsCount'),
    refundsAmount: minus('refundsAmount') as Cents,
    voidsCount: minus('voidsCount'),
    voidsAmount: minus('voidsAmount') as Cents,
  }
  const { salesCount, salesAmount, refundsCount, refundsAmount } = difference
  return [salesCount, salesAmount, refundsCount, refundsAmount].every((figure) => figure === 0) ? null : difference
}
