import { createHmac, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { randomBase32 } from '../../lib/ids.ts'
import type { Currency } from '../../lib/money.ts'
import { type LedgerFile, openLedgerFile } from './ledger-file.ts'
import type { CardTrace, LedgerRow, LedgerRowView, RowState } from './ledger-row.ts'

/** A batch of one terminal and currency; opens with the first recorded row and closes when it is settled. */
export interface Batch {
  id: string
  terminal: string
  currency: Currency
  openedAt: number
  closed: boolean
}

/** First line of the file. */
interface LedgerHeader {
  ledger: string
}

interface DeliveryLine {
  seq: number
  delivered: LedgerRow['delivered']
  respondedAt: number
}

/** State of the simulator: all rows in the order of their decisions, and indexes on them. */
export class Ledger {
  readonly rows: LedgerRow[] = []
  #header: LedgerHeader
  #hashKey: string
  #file: LedgerFile | null = null
  #byReference = new Map<string, LedgerRow>()
  #byGatewayRef = new Map<string, LedgerRow>()
  #byCard = new Map<string, LedgerRow[]>()
  #byOriginal = new Map<string, LedgerRow[]>()
  #cardsOnFile = new Set<string>()
  #usedProofs = new Set<string>()
  #batches = new Map<string, Batch>()
  #openBatches = new Map<string, Batch>()

  /** @param seed makes the gateway references reproducible */
  constructor(seed = randomBase32(5)) {
    this.#header = { ledger: `SIM${seed}` }
    this.#hashKey = seed
  }

  /** Reads or creates the file. The key of the hashes is stored next to it, in `<path>.key`. */
  async open(path: string): Promise<void> {
    let isNew = true
    this.#file = await openLedgerFile(path, (line) => {
      isNew = false
      this.#replay(line as LedgerHeader | LedgerRow | DeliveryLine)
    })
    if (isNew) this.#file.append(this.#header)
    this.#hashKey = await readOrMakeKey(`${path}.key`)
  }

  /** Resolves when every row appended so far is on the disk. */
  durable(): Promise<void> {
    return this.#file?.durable() ?? Promise.resolve()
  }

  async close(): Promise<void> {
    await this.#file?.close()
  }

  append(row: LedgerRow): void {
    this.#apply(row)
    this.#file?.append(row)
  }

  noteDelivery(row: LedgerRow, delivered: LedgerRow['delivered'], respondedAt: number): void {
    Object.assign(row, { delivered, respondedAt })
    this.#file?.appendLazily({ seq: row.seq, delivered, respondedAt } satisfies DeliveryLine)
  }

  get nextSeq(): number {
    return this.rows.length + 1
  }

  /** Returns the gateway reference of the row with this number. */
  gatewayRefOf(seq: number): string {
    return `${this.#header.ledger}-${seq}`
  }

  cardTrace(number: string): CardTrace {
    return { first6: number.slice(0, 6), last4: number.slice(-4), hash: this.#hashOf(number) }
  }

  proofHash(value: string): string {
    return this.#hashOf(`proof ${value}`)
  }

  /** Whether a recorded sale or verification had the proof with this hash. */
  isProofUsed(hash: string): boolean {
    return this.#usedProofs.has(hash)
  }

  /** Returns the first row that was recorded under the reference. */
  recorded(terminal: string, merchantRef: string): LedgerRow | undefined {
    return this.#byReference.get(`${terminal} ${merchantRef}`)
  }

  sale(terminal: string, gatewayRef: string): LedgerRow | undefined {
    const row = this.#byGatewayRef.get(gatewayRef)
    return row?.op === 'sale' && row.terminal === terminal ? row : undefined
  }

  ofCard(card: CardTrace): readonly LedgerRow[] {
    return this.#byCard.get(card.hash) ?? []
  }

  /** Returns the voids and refunds of a sale, including those that were not recorded. */
  followUps(sale: LedgerRow): readonly LedgerRow[] {
    return (sale.gatewayRef && this.#byOriginal.get(sale.gatewayRef)) || []
  }

  refundedAmount(sale: LedgerRow): number {
    let total = 0
    for (const row of this.followUps(sale)) if (row.op === 'refund') total += row.approvedAmount
    return total
  }

  isVoided(sale: LedgerRow): boolean {
    return this.followUps(sale).some((row) => row.op === 'void' && row.recorded && row.outcome === 'approved')
  }

  /** Whether the cardholder has stored this card with an approved charge or verification. */
  isOnFile(card: CardTrace): boolean {
    return this.#cardsOnFile.has(card.hash)
  }

  /** Returns the batch of a row that is recorded now. A new batch opens only when the row is appended. */
  batchFor(terminal: string, currency: Currency): string {
    return this.#openBatches.get(`${terminal} ${currency}`)?.id ?? `B${this.#batches.size + 1}`
  }

  openBatch(terminal: string, currency: Currency): Batch | undefined {
    return this.#openBatches.get(`${terminal} ${currency}`)
  }

  batch(id: string): Batch | undefined {
    return this.#batches.get(id)
  }

  isBatchOpen(row: LedgerRow): boolean {
    return row.batch !== undefined && this.#batches.get(row.batch)?.closed === false
  }

  state(row: LedgerRow): RowState {
    if (!row.recorded || row.op === 'verify') return null
    if (row.outcome === 'declined') return 'declined'
    if (row.op === 'sale' && this.isVoided(row)) return 'voided'
    if (row.op === 'sale' && row.approvedAmount > 0 && this.refundedAmount(row) === row.approvedAmount)
      return 'refunded'
    return this.isBatchOpen(row) ? 'open' : 'settled'
  }

  view(row: LedgerRow): LedgerRowView {
    return { ...row, state: this.state(row) }
  }

  #hashOf(text: string): string {
    return createHmac('sha256', this.#hashKey).update(text).digest('base64url')
  }

  #replay(line: LedgerHeader | LedgerRow | DeliveryLine): void {
    if ('ledger' in line) this.#header = line
    else if ('op' in line) this.#apply(line)
    else Object.assign(this.rows[line.seq - 1] ?? {}, line)
  }

  #apply(row: LedgerRow): void {
    this.rows.push(row)
    if (row.op === 'settle') this.#closeBatch(row)
    else this.#index(row)
  }

  #index(row: LedgerRow): void {
    if (row.card) pushTo(this.#byCard, row.card.hash, row)
    if (row.originalGatewayRef) pushTo(this.#byOriginal, row.originalGatewayRef, row)
    if (!row.recorded) return
    if (row.proofHash !== undefined) this.#usedProofs.add(row.proofHash)
    if (row.card && isFirstStoredCharge(row)) this.#cardsOnFile.add(row.card.hash)
    // A verification is not a transaction, so no inquiry finds it.
    if (row.op === 'verify') return
    const reference = `${row.terminal} ${row.merchantRef}`
    if (!this.#byReference.has(reference)) this.#byReference.set(reference, row)
    if (row.gatewayRef) this.#byGatewayRef.set(row.gatewayRef, row)
    this.#joinBatch(row)
  }

  #joinBatch({ batch: id, terminal, currency, decidedAt }: LedgerRow): void {
    if (id === undefined || this.#batches.has(id)) return
    const batch = { id, terminal, currency, openedAt: decidedAt, closed: false }
    this.#batches.set(id, batch)
    this.#openBatches.set(`${terminal} ${currency}`, batch)
  }

  #closeBatch(row: LedgerRow): void {
    const batch = row.batch !== undefined && this.#batches.get(row.batch)
    if (!row.recorded || !batch) return
    batch.closed = true
    this.#openBatches.delete(`${row.terminal} ${row.currency}`)
  }
}

function isFirstStoredCharge({ outcome, storedCredential }: LedgerRow): boolean {
  return outcome === 'approved' && storedCredential?.initiator === 'cardholder' && storedCredential.initial
}

async function readOrMakeKey(path: string): Promise<string> {
  const kept = await readFile(path, 'utf8').catch(() => '')
  if (kept) return kept
  const key = randomBytes(32).toString('base64url')
  await writeFile(path, key, { mode: 0o600, flush: true })
  return key
}

function pushTo(lists: Map<string, LedgerRow[]>, key: string, row: LedgerRow): void {
  const list = lists.get(key)
  if (list) list.push(row)
  else lists.set(key, [row])
}
