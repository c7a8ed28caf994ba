import { equal } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/database.ts'
import { connect } from '../../db/connection.ts'
import { transaction } from '../../db/transaction.ts'
import { systemClock } from '../../lib/clock.ts'
import { createUser } from './create-user.ts'
import { createSignIn } from './sign-in.ts'

test('better-auth signs in, on our tables, whom we made', async () => {
  await using opened = new AsyncDisposableStack()
  const { url } = opened.use(await createTestDatabase())
  const { db, close } = connect({ url })
  opened.defer(close)
  const wanted = { email: 'Ana@Shop.example', name: 'Ana' }
  const { userId, password } = await transaction(db, (tx) => createUser({ db: tx, clock: systemClock }, wanted))
  const signIn = await createSignIn({ db, secret: randomBytes(32).toString('hex'), baseUrl: 'http://localhost:4001' })

  const { user, token } = await signIn.api.signInEmail({ body: { email: 'ana@shop.example', password } })

  equal(user.id, userId)
  const session = await signIn.api.getSession({ headers: new Headers() })
  equal(session, null)
  const row = await db.selectFrom('auth_session').select('user_id').where('token', '=', token).executeTakeFirstOrThrow()
  equal(row.user_id, userId)
  const wrong = await signIn.api.signInEmail({
    body: { email: 'ana@shop.example', password: 'wrong' },
    asResponse: true,
  })
  equal(wrong.status, 401)
})
