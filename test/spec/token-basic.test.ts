import { equal } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AccessServer, startAccessServer } from '../support/access-server.ts'

// ACC-3: client id and secret in the header, as RFC 6749 2.3.1 defines.

let server: AccessServer
before(async () => {
  server = await startAccessServer()
})
after(() => server?.[Symbol.asyncDispose]())

const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

/** Encodes like strict clients, which also encode the `-` and `_` of ids and secrets. */
const formEncoded = (text: string) => text.replace(/[^a-z0-9]/gi, (sign) => `%${sign.charCodeAt(0).toString(16)}`)

/** Signs in. @returns the status of a sign-in by password */
async function signIn(authorization: string): Promise<number> {
  const { username, password } = server.merchant
  const body = { grant_type: 'password', username, password, scope: '' }
  return (await server.post('/api/oauth/token', body, { authorization })).status
}

test('the client authenticates by Basic', async () => {
  const { client_id, client_secret } = server.credentials()
  equal(await signIn(basic(client_id, client_secret)), 200)
  equal(await signIn(basic(client_id, `${client_secret}x`)), 401)
})

test('both parts may be form-encoded', async () => {
  const { client_id, client_secret } = server.credentials()
  equal(await signIn(basic(formEncoded(client_id), formEncoded(client_secret))), 200)
  for (const more of ['%zz', '&', '+', '='])
    equal(await signIn(basic(formEncoded(client_id), formEncoded(client_secret) + more)), 401, more)
})
