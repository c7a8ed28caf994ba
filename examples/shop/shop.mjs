// A shop: its pages, a session for what is in the cart, and the check before it ships.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { checkOpenOrders, checkOrder } from './check-order.mjs'
import { CLUB_UNIT_AMOUNT, joinClub, leaveClub, membershipOf } from './club.mjs'
import { ordersOf, placeOrder, signedInCustomer, tieToSession } from './orders.mjs'
import { base_url, business_id, createSession } from './rialto.mjs'
import { CURRENCY, PORT, SHOP_URL } from './settings.mjs'

const CHECK_EVERY_MS = 5 * 60_000
const BODY_BYTES_MAX = 10_000
const CART = [
  { name: 'Sencha, first harvest, 100 g', quantity: 2, unit_amount: 21.5, total: 43 },
  { name: 'Cast-iron kettle stand', quantity: 1, unit_amount: 25, total: 25 },
]

const routes = {
  'GET /': () => page('index.html'),
  'GET /thanks': () => page('thanks.html'),
  'GET /shop.css': () => page('shop.css'),
  'GET /orders': () => ordersOf(signedInCustomer()).map(orderView).reverse(),
  'GET /club': () => membershipOf(signedInCustomer()),
  'POST /club': () => joinClub(signedInCustomer()),
  'POST /club/leave': () => leaveClub(signedInCustomer()),
  'POST /session': ({ ui_mode }) => startPayment(ui_mode),
  'POST /verify': ({ session_token }) => verify(String(session_token)),
}

/** The browser chooses how to pay, and nothing else. */
async function startPayment(uiMode) {
  const customer = signedInCustomer()
  const order = placeOrder(customer, CART)
  const session = await createSession(order, customer, uiMode)
  tieToSession(order, session.id)
  return session
}

/** What the client library is told when the payer comes back. */
async function verify(sessionToken) {
  const { order, session, transaction } = await checkOrder(sessionToken)
  const { session_status } = session
  if (order.status === 'disputed') throw Object.assign(new Error('Please call us about this order'), { status: 409 })
  if (order.status !== 'shipped') return { session_status, payment_status: 'UNPAID' }
  const { id: transaction_id, receipt_id } = transaction
  const { amount, currency } = order
  return {
    session_id: session.id,
    session_status,
    payment_status: 'PAID',
    transaction_id,
    receipt_id,
    amount,
    currency,
  }
}

const orderView = ({ id, amount, currency, status, receipt }) => ({ id, amount, currency, status, receipt })

const server = createServer(async (request, response) => {
  const reply = (status, type, body) => response.writeHead(status, { 'content-type': type }).end(body)
  try {
    const route = routes[`${request.method} ${new URL(request.url, SHOP_URL).pathname}`]
    if (!route) return reply(404, 'text/plain', 'Not here')
    refuseOtherSites(request)
    const result = await route(await readBody(request))
    if (result.text) reply(200, result.type, result.text)
    else reply(200, 'application/json', JSON.stringify(result))
  } catch (error) {
    if (!error.status) console.error(error)
    reply(error.status ?? 500, 'application/json', JSON.stringify({ message: error.message }))
  }
})

server.once('error', (error) => {
  if (error.code !== 'EADDRINUSE') throw error
  console.error(`Port ${PORT} is in use. Choose another one: SHOP_PORT=4105 npm run shop`)
  process.exit(1)
})
server.listen(PORT, '127.0.0.1', () => console.log(`The shop is open: ${SHOP_URL}`))

checkOpenOrders()
setInterval(checkOpenOrders, CHECK_EVERY_MS)

/** A browser names the site that a POST comes from. */
function refuseOtherSites({ headers: { origin } }) {
  if (origin && origin !== SHOP_URL) throw Object.assign(new Error('Not from this site'), { status: 403 })
}

async function readBody(request) {
  const chunks = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) throw Object.assign(new Error('Too large'), { status: 413 })
    chunks.push(chunk)
  }
  if (bytes === 0) return {}
  try {
    return Object(JSON.parse(Buffer.concat(chunks).toString()))
  } catch {
    throw Object.assign(new Error('Not JSON'), { status: 400 })
  }
}

function page(name) {
  const values = { base_url, business_id, cart: cartRows(), club: money(CLUB_UNIT_AMOUNT / 100), ...signedInCustomer() }
  const text = readFileSync(new URL(`./pages/${name}`, import.meta.url), 'utf8')
  return {
    type: name.endsWith('.css') ? 'text/css' : 'text/html; charset=utf-8',
    text: text.replace(/\{\{(\w+)\}\}/g, (blank, value) => values[value] ?? blank),
  }
}

const money = (amount) => amount.toLocaleString('en', { style: 'currency', currency: CURRENCY })

function cartRows() {
  const rows = CART.map(
    ({ name, quantity, total }) => `<tr><td>${quantity} × ${name}</td><td>${money(total)}</td></tr>`,
  )
  const sum = money(CART.reduce((cents, { total }) => cents + total * 100, 0) / 100)
  return `${rows.join('\n        ')}\n        <tr><th>Total</th><th>${sum}</th></tr>`
}
