// The limit of creating and reading subscriptions: Fastify with the same reads and writes on the same tables, and
// nothing else. No credential, no rule, no vault, no event; the gateway's response is a constant.
//   PORT=… DATABASE_URL=… node bench/bare-subscriptions.ts, when the database has a subscription to copy
import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'

const { DATABASE_URL, PORT } = process.env
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10, options: '-c plan_cache_mode=force_generic_plan' })
const rows = async (name: string, text: string, values: unknown[] = []) =>
  (await pool.query({ name, text, values })).rows
const app = Fastify({ logger: false })

type Row = Record<string, unknown>
const one = async (text: string) => ((await pool.query<{ row: Row }>(text)).rows[0]?.row ?? {}) as Row
const subscription = await one("select to_jsonb(s) as row from subscription s where status = 'active' limit 1")
const bill = await one(`select to_jsonb(b) as row from bill b where subscription_id = '${subscription.id}' limit 1`)
const payment = await one(
  `select to_jsonb(p) as row from payment p where subscription_id = '${subscription.id}' limit 1`,
)
const operation = await one(`select to_jsonb(o) as row from operation o where id = '${payment.operation_id}'`)

const BEGIN = `insert into operation select r.* from jsonb_populate_record(null::operation, $1::jsonb) r`
const APPROVE = `with won as (
    update operation set state = 'APPROVED', code = 'AA', gateway_ref = $5, finalized_at = $6 where business_id = $1 and id = $2
      and state = 'SENT' returning id
  ), made as (
    insert into subscription select r.* from won, jsonb_populate_record(null::subscription, $3::jsonb) r returning *
  ), billed as (
    insert into bill select r.* from made, jsonb_populate_record(null::bill, $4::jsonb) r
  ), paid as (
    insert into payment select r.* from made, jsonb_populate_record(null::payment, $7::jsonb) r
  ) select * from made`

const body = {
  type: 'object',
  required: ['customer', 'price', 'payment_method'],
  properties: {
    customer: { type: 'string', format: 'uuid' },
    price: { type: 'string', format: 'uuid' },
    payment_method: { type: 'string', format: 'uuid' },
  },
}

app.post<{ Params: { business: string }; Body: Record<'customer' | 'price' | 'payment_method', string> }>(
  '/:business/subscriptions',
  { schema: { body } },
  async ({ params: { business }, body: { customer, price, payment_method: card } }, reply) => {
    const [found] = await rows(
      'parts',
      `select c.id, k.id as card, p.unit_amount from customer c, stored_card k, price p
       where (c.business_id, c.id, k.business_id, k.id, p.business_id, p.id) = ($1, $2, $1, $3, $1, $4)`,
      [business, customer, card, price],
    )
    if (!found) return reply.code(404).send({})
    const [id, billId, paymentId, saleId, now] = [randomUUID(), randomUUID(), randomUUID(), randomUUID(), new Date()]
    const sale = {
      ...operation,
      id: saleId,
      owner_id: id,
      merchant_ref: saleId.slice(0, 25),
      state: 'SENT',
      gateway_ref: null,
    }
    await rows('begin', BEGIN, [JSON.stringify({ ...sale, stored_card_id: card, customer_id: customer, sent_at: now })])
    const made = { ...subscription, id, customer_id: customer, stored_card_id: card, created_at: now }
    const billed = { ...bill, id: billId, subscription_id: id, payment_id: paymentId, created_at: now }
    const paid = {
      ...payment,
      id: paymentId,
      operation_id: saleId,
      subscription_id: id,
      bill_id: billId,
      created_at: now,
    }
    const [row] = await rows('approve', APPROVE, [
      business,
      saleId,
      JSON.stringify(made),
      JSON.stringify(billed),
      `G-${saleId}`,
      now,
      JSON.stringify({ ...paid, receipt_id: `R${saleId}` }),
    ])
    return reply.code(201).send(row)
  },
)

const PRICES = `(select jsonb_agg(to_jsonb(p)) from price p where p.business_id = s.business_id
  and p.id in (select (i ->> 'price')::uuid from jsonb_array_elements(s.items) i)) as prices`
const BILL = `(select to_jsonb(b) from bill b where b.business_id = s.business_id and b.subscription_id = s.id
  and b.status = 'PENDING') as bill`

app.get<{ Params: { business: string; id: string } }>('/:business/subscriptions/:id', async ({ params }) => {
  const text = `select s.*, ${PRICES}, ${BILL} from subscription s where s.business_id = $1 and s.id = $2`
  return (await rows('one', text, [params.business, params.id]))[0]
})

app.get<{ Params: { business: string }; Querystring: { starting_after?: string } }>(
  '/:business/subscriptions',
  async ({ params, query }) => {
    const beyond = query.starting_after
      ? 'and (s.created_at, s.id) < ((select created_at from subscription where business_id = $1 and id = $2), $2)'
      : ''
    const found = await rows(
      `list${beyond.length}`,
      `select s.*, ${PRICES}, ${BILL} from subscription s where s.business_id = $1 ${beyond}
       order by s.created_at desc, s.id desc limit 11`,
      query.starting_after ? [params.business, query.starting_after] : [params.business],
    )
    return { object: 'list', data: found.slice(0, 10), has_more: found.length > 10 }
  },
)

await app.listen({ host: '127.0.0.1', port: Number(PORT) })
console.log(JSON.stringify({ businessId: 'any', accessToken: 'none', apiKey: 'none' }))
process.once('SIGTERM', () => app.close().then(() => process.exit(0)))
