// A shop: its page, a session for what is in the cart, and the check before it says thank you.
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

const routes = {
  'GET /': () => file('index.html'),
  'GET /thanks': () => file('thanks.html'),
  'GET /shop.css': () => file('shop.css'),
  'POST /session': ({ ui_mode }) => createSession(CART, ui_mode, SHOP_URL),
  'POST /verify': ({ session_token }) => verify(session_token),
}

/** The browser says which session; Rialto says whether it is paid; the shop compares it with what it sold. */
async function verify(sessionToken) {
  const { checkout_session: session, transaction } = await sessionDetails(sessionToken)
  const { id, session_status, payment_status, amount_total, currency } = session
  const isPaid = session_status === 'COMPLETED' && payment_status === 'PAID' && amount_total === CART.total
  if (!isPaid) return { session_status, payment_status: 'UNPAID' }
  console.log(`Paid: ship it. Receipt ${transaction.receipt_id}`)
  const { id: transaction_id, receipt_id } = transaction
  return { session_id: id, session_status, payment_status, transaction_id, receipt_id, amount: amount_total, currency }
}

createServer(async (request, response) => {
  const reply = (status, type, body) => response.writeHead(status, { 'content-type': type }).end(body)
  try {
    const route = routes[`${request.method} ${new URL(request.url, SHOP_URL).pathname}`]
    if (!route) return reply(404, 'text/plain', 'Not here')
    const answer = await route(await readBody(request))
    if (answer.text) reply(200, answer.type, answer.text)
    else reply(200, 'application/json', JSON.stringify(answer))
  } catch (error) {
    reply(error.status ?? 500, 'application/json', JSON.stringify({ message: error.message }))
  }
}).listen(PORT, '127.0.0.1', () => console.log(`The shop is open: ${SHOP_URL}`))

const VALUES = ['base_url', 'dashboard_url', 'business_id']

function file(name) {
  const text = readFileSync(new URL(`./pages/${name}`, import.meta.url), 'utf8')
  return {
    type: name.endsWith('.css') ? 'text/css' : 'text/html; charset=utf-8',
    text: VALUES.reduce((page, value) => page.replaceAll(`{{${value}}}`, credentials[value]), text),
  }
}

async function readBody(request) {
  const chunks = await Array.fromAsync(request)
  return chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {}
}
