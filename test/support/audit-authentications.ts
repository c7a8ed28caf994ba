import type { BookedAuthentication, BookedOperation, Books } from './audit-books.ts'

type Found = { subject: string; detail: string }[]

/** One authentication proves one charge, and if a business requires it, no session is paid without one (TDS-8). */
export function authenticationsProveOnce(books: Books): Found {
  return [...usedOnce(books), ...nothingIsKept(books), ...proofsAgree(books), ...nobodyPaysWithout(books)]
}

function usedOnce({ authentications }: Books): Found {
  const used = authentications.filter(({ state }) => state === 'CONSUMED')
  const byOperation = Map.groupBy(used, ({ operationId }) => operationId)
  const unused = authentications.filter((one) => (one.state === 'CONSUMED') !== (one.operationId !== null))
  return [
    ...unused.map(({ id, state }) => ({ subject: id, detail: `${state}, but its charge says otherwise` })),
    ...[...byOperation.values()]
      .filter((all) => all.length > 1)
      .map(([one]) => ({ subject: one?.operationId ?? '', detail: 'two authentications for one charge' })),
  ]
}

/** The card is stored until the directory server has responded, the value until the charge; then both are deleted. */
function nothingIsKept({ authentications }: Books): Found {
  return authentications
    .filter(
      // An expired one is wiped by a job.
      ({ state, hasCard, hasValue }) =>
        state !== 'EXPIRED' && ((hasCard && state !== 'STARTED') || (hasValue && state !== 'AUTHENTICATED')),
    )
    .map(({ id, state }) => ({ subject: id, detail: `${state}, but something sealed is left` }))
}

/** The gateway received the proof that was used for that charge. */
function proofsAgree({ rows, operationOf, authentications }: Books): Found {
  const byOperation = new Map(authentications.map((one) => [one.operationId, one]))
  return rows
    .filter(({ op }) => op === 'sale')
    .flatMap((row) => {
      const operation = operationOf(row)
      if (!operation) return []
      const used = byOperation.get(operation.id)
      const sent = row.threeDs && `${row.threeDs.transStatus} ${row.threeDs.eci}`
      return sent === (used && `${used.transStatus} ${used.eci}`)
        ? []
        : [
            {
              subject: row.merchantRef,
              detail: `sent with ${sent ?? 'no proof'}, but ${used ? 'another' : 'none'} was used`,
            },
          ]
    })
}

/**
 * Nobody pays without authentication. Ids contain times: sales before the first authentication of a business are from
 * before it had 3-D Secure.
 */
function nobodyPaysWithout({ operations, authentications, saleOf, sessions }: Books): Found {
  const proved = new Set(authentications.map(({ operationId }) => operationId))
  const needsProof = (sale: BookedOperation) => {
    const session = sessions.find(({ id }) => id === sale.sessionId)
    if (!session?.threeDsEnabled || sale.amount <= session.threeDsAbove) return false
    const first = firstOf(authentications, session.businessId)
    return first !== undefined && first < sale.id && saleOf(sale.id)?.wallet === undefined
  }
  return operations
    .filter(({ kind, state, id }) => kind === 'sale' && state === 'APPROVED' && !proved.has(id))
    .filter(needsProof)
    .map(({ merchantRef }) => ({ subject: merchantRef, detail: 'paid without an authentication' }))
}

function firstOf(authentications: BookedAuthentication[], businessId: string): string | undefined {
  return authentications
    .filter((one) => one.businessId === businessId)
    .map(({ id }) => id)
    .sort()[0]
}
