import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-ports.ts'
import { type Response, send } from './merchant.ts'
import { type SecondMerchant, secondMerchant } from './second-merchant.ts'
import type { TestService } from './service.ts'

// examples/shop as a program, in its own data directory.

const PROGRAM = fileURLToPath(new URL('../../examples/shop/open.mjs', import.meta.url))

export interface ShopOrder {
  id: string
  amount: number
  currency: string
  status: 'open' | 'shipped' | 'disputed' | 'not_paid'
  receipt: string | null
}

export interface ExampleShop {
  url: string
  merchant: SecondMerchant
  folder: string
  /** Returns its complete output. */
  said(): string
  orders(): Promise<ShopOrder[]>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>
  start(): Promise<void>
  stop(): Promise<void>
  close(): Promise<void>
}

/** Opens the shop, with an access token that has expired as after a day, so that the shop must refresh it. */
export async function openExampleShop(service: TestService): Promise<ExampleShop> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const merchant = await secondMerchant(service, { redirectUrl: url })
  const folder = await mkdtemp(join(tmpdir(), 'rialto-shop-'))
  const credentials = { ...merchant.demo, access_token: 'rc_at_old' }
  for (const name of ['demo.json', 'shop.json']) await writeFile(join(folder, name), JSON.stringify(credentials))
  const env = { ...process.env, RIALTO_DATA_DIR: folder, SHOP_PORT: String(port), SHOP_CURRENCY: 'CAD' }
  let program: ChildProcess
  let said = ''
  const start = async () => {
    program = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const opened = Promise.withResolvers<void>()
    for (const stream of [program.stdout, program.stderr])
      stream?.on('data', (text) => {
        said += text
        if (said.includes('The shop is open')) opened.resolve()
      })
    program.once('exit', () => opened.reject(new Error(`The shop ended: ${said}`)))
    await opened.promise
  }
  const stop = async () => {
    const ended = once(program, 'exit')
    program.kill()
    await ended
    said = ''
  }
  await start()
  return {
    url,
    merchant,
    folder,
    said: () => said,
    orders: async () => (await send(`${url}/orders`)).body,
    post: (path, body, headers) =>
      send(url + path, { method: 'POST', body: JSON.stringify(body), headers: headers ?? {} }),
    start,
    stop,
    async close() {
      await stop()
      await rm(folder, { recursive: true })
    },
  }
}

/** Writes to the shop's database while the shop is stopped. */
export async function changeOrder({ folder }: ExampleShop, id: string, change: Partial<ShopOrder>): Promise<void> {
  const file = join(folder, 'shop-orders.json')
  const books: { orders: ShopOrder[] } = JSON.parse(await readFile(file, 'utf8'))
  const order = books.orders.find((one) => one.id === id)
  if (!order) throw new Error(`No order ${id}`)
  Object.assign(order, change)
  await writeFile(file, JSON.stringify(books))
}
