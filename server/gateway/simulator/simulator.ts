import { Compile } from 'typebox/compile'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { batchOf, settleNamed } from './batch.ts'
import { inquire } from './inquire.ts'
import { Ledger } from './ledger.ts'
import { list } from './list.ts'
import type { Parts, Reply } from './record.ts'
import { sale, verify } from './sale.ts'
import { Script } from './script.ts'
import { settleBatch } from './settle-batch.ts'
import { refundSale, voidSale } from './void-and-refund.ts'
import {
  BatchBody,
  GatewaySettleBody,
  InquireBody,
  ListBody,
  RefundBody,
  SaleBody,
  ScriptBody,
  SettleBody,
  VerifyBody,
  VoidBody,
} from './wire.ts'

export interface SimulatorOptions {
  /** Path of the ledger file. If absent, the ledger is only in memory. */
  ledgerFile?: string
  /** Factor for the waits of magic cards: 0.05 turns 20 s into 1 s. */
  timeScale?: number
  /** Makes the gateway references reproducible. */
  seed?: string
  clock?: Clock
}

/** The simulated gateway without HTTP: its rules, its ledger and its script. */
export interface Simulator {
  readonly ledger: Ledger
  readonly script: Script
  /** Resolves once the decision is on the disk. Rejects if it cannot be written; then no response may be sent. */
  handle(op: Op, terminal: string, body: unknown): Promise<Reply>
  /** @returns the validation error of the body, or `null` */
  applyScript(body: unknown): string | null
  settle(body: unknown): Promise<Reply>
  close(): Promise<void>
}

export type Op = 'sale' | 'verify' | 'void' | 'refund' | 'inquire' | 'list' | 'batch' | 'settle'

const schemas = {
  sale: Compile(SaleBody),
  verify: Compile(VerifyBody),
  void: Compile(VoidBody),
  refund: Compile(RefundBody),
  inquire: Compile(InquireBody),
  list: Compile(ListBody),
  batch: Compile(BatchBody),
  settle: Compile(GatewaySettleBody),
  controlSettle: Compile(SettleBody),
  script: Compile(ScriptBody),
}

export async function openSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const ledger = new Ledger(options.seed)
  if (options.ledgerFile) await ledger.open(options.ledgerFile)
  const script = new Script(options.clock ?? systemClock)
  script.advanceClock((ledger.rows.at(-1)?.decidedAt ?? 0) - script.now())
  const parts: Parts = { ledger, script, timeScale: options.timeScale ?? 1 }
  return {
    ledger,
    script,
    handle: (op, terminal, body) => durably(ledger, decide(parts, op, terminal, body)),
    applyScript(body) {
      if (!schemas.script.Check(body)) return schemaError('script', body)
      script.apply(body)
      return null
    },
    settle: (body) => durably(ledger, settle(parts, body)),
    close: () => ledger.close(),
  }
}

async function durably(ledger: Ledger, reply: Reply): Promise<Reply> {
  await ledger.durable()
  return reply
}

function decide(parts: Parts, op: Op, terminal: string, body: unknown): Reply {
  if (terminal === '') return refusal('configuration', 'no terminal: send `authorization: Bearer <terminal id>`')
  if (op === 'sale' && schemas.sale.Check(body)) return sale(parts, terminal, body)
  if (op === 'verify' && schemas.verify.Check(body)) return verify(parts, terminal, body)
  if (op === 'void' && schemas.void.Check(body)) return voidSale(parts, terminal, body)
  if (op === 'refund' && schemas.refund.Check(body)) return refundSale(parts, terminal, body)
  if (op === 'inquire' && schemas.inquire.Check(body)) return inquire(parts, terminal, body)
  if (op === 'list' && schemas.list.Check(body)) return list(parts, terminal, body)
  if (op === 'batch' && schemas.batch.Check(body)) return batchOf(parts, terminal, body)
  if (op === 'settle' && schemas.settle.Check(body)) return settleNamed(parts, terminal, body)
  return refusal('invalid_request', schemaError(op, body))
}

function settle(parts: Parts, body: unknown): Reply {
  if (schemas.controlSettle.Check(body)) return settleBatch(parts, body)
  const message = schemaError('controlSettle', body)
  const response = { ok: false, error: 'invalid_request', message } as const
  return { response, delivery: 'response', waitMs: 0 }
}

/** Refuses a malformed request without a ledger row. */
function refusal(reason: 'configuration' | 'invalid_request', message: string): Reply {
  return { response: { outcome: 'refused', reason, message }, delivery: 'response', waitMs: 0 }
}

/** Returns a message that names the field but never its value, which may be a card number. */
function schemaError(schema: keyof typeof schemas, body: unknown): string {
  const error = schemas[schema].Errors(body).at(0)
  return `${error?.instancePath || 'body'} ${error?.message ?? 'is not valid'}`
}
