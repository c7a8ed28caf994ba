// A shop in three routes: its page, a session for what is in the cart, and the check before it says thank you.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createSession, credentials, sessionDetails } from './rialto.mjs'

const PORT = Number(process.env.SHOP_PORT ?? 4003)
const SHOP_URL = `http://localhost:${PORT}`
const CART = {
  total: 68,
  email: 'ana@example.com',
  items: [
    { name: 'Sencha, first harvest, 100 g', quantity: 2, unit_amount: 21.5, total: 43 },
    { name: 'Cast-iron kettle stand', quantity: 1, unit_amount: 25, total: 25 },
  ],
}

const page = (name) =>
  readFileSync(new URL(`./pages/${name}.html`, import.meta.url), 'utf8')
    .replaceAll('{{base_url}}', credentials.base_url)
    .replaceAll('{{dashboard_url}}', credentials.dashboard_url)
    .replaceAll('{{business_id}}', credentials.business_id)

const routes = {
  'GET /': (_body, reply) => reply(200, page('index')),
  'GET /thanks': (_body, reply) => reply(200, page('thanks')),
  'POST /session': async ({ ui_mode }, reply) => reply(200, await createSession(CART, ui_mode, SHOP_URL)),
  // The browser says which session; Rialto says whether it is paid; the shop compares it with what it sold.
  'POST /verify': async ({ session_token }, reply) => {
    const { checkout_session: session, transaction } = await sessionDetails(session_token)
    const isPaid =
      session.session_status === 'COMPLETED' && session.payment_status === 'PAID' && session.amount_total === CART.total
    if (isPaid) console.log(`Order paid: ship it. Receipt ${transaction.receiptID}`)
    const { session_status, payment_status, amount_total, currency } = session
    reply(200, { session_status, payment_status, amount: amount_total, currency, receipt_id: transaction?.receiptID })
  },
}

createServer(async (request, response) => {
  const reply = (status, body) => {
    const isPage = typeof body === 'string'
    response.writeHead(status, { 'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json' })
    response.end(isPage ? body : JSON.stringify(body))
  }
  const route = routes[`${request.method} ${new URL(request.url, SHOP_URL).pathname}`]
  if (!route) return reply(404, { message: 'Not here' })
  try {
    await route(await readBody(request), reply)
  } catch (error) {
    reply(error.status ?? 500, { message: error.message })
  }
}).listen(PORT, 'localhost', () => console.log(`The shop is open: ${SHOP_URL}`))

async function readBody(request) {
  let text = ''
  for await (const part of request) text += part
  return text ? JSON.parse(text) : {}
}
