// The framework's limit: Fastify, JSON schema validation, and only the writes that a payment needs. No credential, no
// business rule, no card handling, no event, no log. Not a service; a ceiling to measure ours against.
//   PORT=… DATABASE_URL=… node bench/bare-server.ts; with SIMULATOR_URL it asks the same simulator as ours does.
import { randomBytes, randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'
import { Agent, request } from 'undici'

interface Create {
  amount_total: number
  currency?: string
  customer_email: string
  success_url: string
  cancel_url: string
  metadata?: object
}

type Query = (name: string, text: string, values: unknown[]) => Promise<Record<string, unknown>[]>

const { DATABASE_URL, PORT, SIMULATOR_URL } = process.env
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 })
const query: Query = async (name, text, values) => (await pool.query({ name, text, values })).rows
const agent = new Agent({ pipelining: 1 })
const app = Fastify({ logger: false })

const url = { type: 'string', pattern: '^https://', maxLength: 2000 }
const createBody = {
  type: 'object',
  required: ['amount_total', 'success_url', 'cancel_url', 'customer_email'],
  properties: {
    amount_total: { type: 'number', minimum: 0.01 },
    currency: { enum: ['USD', 'CAD'] },
    customer_email: { type: 'string', maxLength: 254 },
    success_url: url,
    cancel_url: url,
    metadata: { type: 'object' },
  },
}
const payBody = {
  type: 'object',
  required: ['payment_method_type', 'amount', 'cardData'],
  properties: {
    payment_method_type: { enum: ['new_card'] },
    amount: { type: 'number' },
    cardData: {
      type: 'object',
      required: ['cardNumber', 'month', 'year', 'cvv'],
      properties: {
        cardNumber: { type: 'string', pattern: '^[0-9]{12,19}$' },
        month: { type: 'string' },
        year: { type: 'integer' },
        cvv: { type: 'string' },
      },
    },
  },
}

await pool.query(`drop schema if exists floor cascade; create schema floor;
  create table floor.session (id uuid primary key, business_id uuid not null, token char(64) not null unique, amount bigint not null,
    currency char(3) not null, email text not null, success_url text not null, cancel_url text not null, metadata jsonb,
    session_status text not null default 'PENDING', payment_status text not null default 'UNPAID',
    attempts smallint not null default 0, created_at timestamptz not null default now(),
    expires_at timestamptz not null default now() + interval '24 hours');
  create index on floor.session (business_id, created_at desc, id desc);
  create table floor.attempt (id uuid primary key, session_id uuid not null references floor.session (id), card_masked text not null,
    state text not null default 'SENT', code char(2), created_at timestamptz not null default now());
  create index on floor.attempt (session_id);
  create table floor.payment (id uuid primary key, session_id uuid not null unique references floor.session (id),
    attempt_id uuid not null references floor.attempt (id), amount bigint not null, code char(2) not null, record_id text not null,
    receipt_id text not null, created_at timestamptz not null default now())`)

app.get('/healthz', () => ({ ok: true }))

app.post<{ Body: Create; Params: { business: string } }>(
  '/api/:business/checkout/create',
  { schema: { body: createBody } },
  async ({ body, params }) => {
    const [id, token] = [randomUUID(), randomBytes(32).toString('hex')]
    const currency = body.currency ?? 'USD'
    const [row] = await query(
      'create',
      `insert into floor.session (id, business_id, token, amount, currency, email, success_url, cancel_url, metadata)
       values ($1,$2,$3,$4,$5,$6,$7,$8,$9) returning expires_at`,
      [
        id,
        params.business,
        token,
        Math.round(body.amount_total * 100),
        currency,
        body.customer_email,
        body.success_url,
        body.cancel_url,
        body.metadata ?? null,
      ],
    )
    const { amount_total, success_url, cancel_url } = body
    return {
      ok: true,
      message: 'Checkout session created',
      status: 'PENDING',
      checkout_session: {
        id,
        token,
        checkout_url: `https://pay.example.com/customer/checkout/${token}`,
        session_status: 'PENDING',
        payment_status: 'UNPAID',
        amount_total,
        currency,
        expires_at: row?.expires_at,
        ui_mode: 'hosted',
        success_url,
        cancel_url,
      },
      transaction: null,
    }
  },
)

app.post<{ Body: { cardData: { cardNumber: string } }; Params: { token: string } }>(
  '/api/checkout/:token/pay',
  { schema: { body: payBody } },
  async ({ body, params }, reply) => {
    const [session] = await query(
      'find',
      'select id, amount, session_status, success_url from floor.session where token = $1',
      [params.token],
    )
    if (!session) return reply.code(404).send({ ok: false })
    if (session.session_status !== 'PENDING') return reply.code(400).send({ ok: false })
    const { cardNumber } = body.cardData
    const attempt = randomUUID()
    await query('attempt', 'insert into floor.attempt (id, session_id, card_masked) values ($1,$2,$3)', [
      attempt,
      session.id,
      `${cardNumber.slice(0, 6)}******${cardNumber.slice(-4)}`,
    ])
    const response = await callGateway(attempt, Number(session.amount), cardNumber)
    const client = await pool.connect()
    try {
      const step: Query = async (name, text, values) => (await client.query({ name, text, values })).rows
      await client.query('begin')
      await step('done', "update floor.attempt set state = 'DONE', code = $2 where id = $1", [attempt, response.code])
      await step(
        'paid',
        "update floor.session set session_status = 'COMPLETED', payment_status = 'PAID', attempts = attempts + 1 where id = $1 and session_status = 'PENDING'",
        [session.id],
      )
      await step(
        'payment',
        'insert into floor.payment (id, session_id, attempt_id, amount, code, record_id, receipt_id) values ($1,$2,$3,$4,$5,$6,$7)',
        [randomUUID(), session.id, attempt, session.amount, response.code, response.recordID, response.receiptID],
      )
      await client.query('commit')
    } finally {
      client.release()
    }
    return {
      ok: true,
      message: 'Approved',
      result: response,
      success_url: `${session.success_url}?session_token=${params.token}`,
    }
  },
)

async function callGateway(merchantRef: string, amount: number, number: string) {
  if (SIMULATOR_URL) {
    const { body } = await request(`${SIMULATOR_URL}/v1/sale`, {
      method: 'POST',
      dispatcher: agent,
      headers: { 'content-type': 'application/json', authorization: 'Bearer bare' },
      body: JSON.stringify({
        merchantRef: merchantRef.slice(0, 23),
        amount,
        currency: 'USD',
        source: { kind: 'pan', number, expMonth: 12, expYear: 2031 },
      }),
    })
    await body.json()
  }
  return { code: 'AA', recordID: randomUUID(), receiptID: randomUUID() }
}

await app.listen({ host: '127.0.0.1', port: Number(PORT) })
console.log(JSON.stringify({ businessId: '00000000-0000-4000-8000-000000000001', accessToken: 'none', apiKey: 'none' }))
process.once('SIGTERM', () => app.close().then(() => process.exit(0)))
