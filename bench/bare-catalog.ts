// The limit of the merchant API's lists: Fastify with the same queries on the same tables, and nothing else. No
// credential, no validation, no event, no rendering but JSON's own.
//   PORT=… DATABASE_URL=… node bench/bare-catalog.ts
import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import pg from 'pg'

const { DATABASE_URL, PORT } = process.env
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10, options: '-c plan_cache_mode=force_generic_plan' })
const rows = async (name: string, text: string, values: unknown[]) => (await pool.query({ name, text, values })).rows
const app = Fastify({ logger: false })

const PRODUCT = 'id, name, description, active, metadata, created_at'
const PRICE =
  'id, product_id, unit_amount, currency, recurring_interval, recurring_interval_count, nickname, active, metadata, created_at'

app.get<{ Params: { business: string }; Querystring: { starting_after?: string } }>(
  '/:business/products',
  async ({ params, query }) => {
    const beyond = query.starting_after
      ? 'and (created_at, id) < ((select created_at from product where business_id = $1 and id = $2), $2)'
      : ''
    const found = await rows(
      `list${beyond.length}`,
      `select ${PRODUCT} from product where business_id = $1 ${beyond} order by created_at desc, id desc limit 11`,
      query.starting_after ? [params.business, query.starting_after] : [params.business],
    )
    return { object: 'list', data: found.slice(0, 10), has_more: found.length > 10 }
  },
)

app.get<{ Params: { business: string; id: string } }>('/:business/products/:id', async ({ params }) => {
  const of = [params.business, params.id]
  const [[product], prices] = await Promise.all([
    rows('one', `select ${PRODUCT} from product where business_id = $1 and id = $2`, of),
    rows(
      'prices',
      `select ${PRICE} from price where business_id = $1 and product_id = $2 order by created_at desc, id desc`,
      of,
    ),
  ])
  return { ...product, prices }
})

app.post<{ Params: { business: string }; Body: { name: string; metadata: object } }>(
  '/:business/products',
  async ({ params, body }, reply) => {
    const [product] = await rows(
      'make',
      `insert into product (business_id, id, name, active, metadata, created_at, updated_at)
       values ($1, $2, $3, true, $4, now(), now()) returning ${PRODUCT}`,
      [params.business, randomUUID(), body.name, body.metadata],
    )
    return reply.code(201).send({ ...product, prices: [] })
  },
)

await app.listen({ host: '127.0.0.1', port: Number(PORT) })
console.log(JSON.stringify({ businessId: 'any', accessToken: 'none', apiKey: 'none' }))
process.once('SIGTERM', () => app.close().then(() => process.exit(0)))
