import { base32 } from '@better-auth/utils/base32'
import { createOTP } from '@better-auth/utils/otp'
import { createUser } from '../../server/access/people/create-user.ts'
import { insertMember } from '../../server/access/people/user-queries.ts'
import { transaction } from '../../server/db/transaction.ts'
import { newId } from '../../server/lib/ids.ts'
import { type Response, send } from './merchant.ts'
import { ownerPassword } from './owner-password.ts'
import type { TestService } from './service.ts'
import { softwarePasskey } from './software-passkey.ts'

/** A browser that is not signed in yet: it stores the cookie and the token for `X-CSRF-Token` that it gets. */
export interface Visitor {
  cookie: string
  csrf: string
  call(name: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
}

export function visitor(
  { formUrl }: Pick<TestService, 'formUrl'>,
  known: Partial<Pick<Visitor, 'cookie' | 'csrf'>> = {},
): Visitor {
  const here: Visitor = {
    cookie: '',
    csrf: '',
    ...known,
    async call(name, body, headers = {}) {
      const [method = '', path = ''] = name.split(' ')
      const response = await send(`${formUrl}${path}`, {
        method,
        headers: {
          'sec-fetch-site': 'same-origin',
          ...(here.cookie && { cookie: here.cookie }),
          ...(here.csrf && { 'x-csrf-token': here.csrf }),
          ...(method !== 'GET' && { origin: formUrl, 'content-type': 'application/json' }),
          ...headers,
        },
        ...(method !== 'GET' && method !== 'DELETE' && { body: JSON.stringify(body ?? {}) }),
      })
      const [cookie] = response.headers.get('set-cookie')?.split(';') ?? []
      if (cookie !== undefined) here.cookie = cookie.endsWith('=') ? '' : cookie
      if (typeof response.body?.csrf_token === 'string') here.csrf = response.body.csrf_token
      return response
    },
  }
  return here
}

export interface TestPerson {
  userId: string
  email: string
  password: string
}

/** Creates a person of the demo business. */
export function newPerson({ app, demo }: TestService): Promise<TestPerson> {
  return addPerson(app.services, demo.business_id)
}

/** Adds a person. @returns an owner of the business */
export async function addPerson(
  { db, clock }: Pick<TestService['app']['services'], 'db' | 'clock'>,
  businessId: string,
): Promise<TestPerson> {
  const email = `person-${newId().slice(-12)}@shop.example`
  const hashed = await ownerPassword()
  return transaction(db, async (tx) => {
    const made = await createUser({ db: tx, clock }, { email, name: 'Pat Roy', hashed })
    await insertMember(tx, { businessId, userId: made.userId, at: clock.now() })
    return { ...made, email }
  })
}

/** Signs in with the password, as a person without a second factor. */
export async function enter(service: Pick<TestService, 'formUrl'>, { email, password }: TestPerson): Promise<Visitor> {
  const browser = visitor(service)
  const { status, body } = await browser.call('POST /dashboard/auth/sign-in', { email, password })
  if (status !== 200 || body.next !== 'done') throw new Error(`Not signed in: ${JSON.stringify(body)}`)
  return browser
}

/** Returns the code that an authenticator app shows. @param steps of 30 seconds from now */
export async function totpCode(service: TestService, secret: string, steps = 0): Promise<string> {
  const step = Math.floor(service.app.services.clock.now().getTime() / 30_000) + steps
  return createOTP(Buffer.from(base32.decode(secret)).toString()).hotp(step)
}

/** Adds an authenticator app for a person who has just signed in. */
export async function addTotp(service: TestService, browser: Visitor) {
  const { body: begun } = await browser.call('POST /dashboard/auth/totp')
  const code = await totpCode(service, begun.secret, -1)
  const { status, body } = await browser.call('POST /dashboard/auth/totp/verify', { ticket: begun.ticket, code })
  if (status !== 200) throw new Error(`No app was added: ${JSON.stringify(body)}`)
  return { secret: begun.secret as string, recoveryCodes: body.recovery_codes as string[] }
}

/** Adds a passkey for a person who has just signed in, or stepped up. */
export async function addPasskey(service: TestService, browser: Visitor) {
  const key = softwarePasskey(service.formUrl)
  const { body: begun } = await browser.call('POST /dashboard/auth/passkeys/options')
  const credential = key.register(begun.options)
  const { status, body } = await browser.call('POST /dashboard/auth/passkeys', { name: 'Laptop', credential })
  if (status !== 200) throw new Error(`No passkey was added: ${JSON.stringify(body)}`)
  return { key, recoveryCodes: body.recovery_codes as string[] | null }
}

/** Adds a passkey for a person whose session is older. */
export async function addPasskeyLater(service: TestService, browser: Visitor) {
  const { db, clock } = service.app.services
  const { id } = (await browser.call('GET /dashboard/api/me')).body.session
  await db.updateTable('auth_session').set({ stepped_up_at: clock.now() }).where('id', '=', id).execute()
  const added = await addPasskey(service, browser)
  const [passkey] = (await browser.call('GET /dashboard/auth/account')).body.passkeys
  return { ...added, passkey: passkey as { id: string } }
}

/** The call about oneself, which every signed-in person may make. */
export const ME = 'GET /dashboard/api/me'
export const STEP_UP = 'POST /dashboard/api/step-up'

export const statusOf = async (browser: Visitor, name = ME, body?: unknown): Promise<number> =>
  (await browser.call(name, body)).status

export const stepUp = (browser: Visitor, { password }: TestPerson, code?: string) =>
  browser.call(STEP_UP, { method: 'password', password, ...(code && { code }) })
