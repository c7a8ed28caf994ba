import { deepEqual, doesNotMatch, match } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { connect, type Database } from '../db/connection.ts'
import { systemClock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { businessCommand } from './business-command.ts'
import { findBusinessWithLetterSettings, findLetterSettings } from './letter-settings-queries.ts'

let database: TestDatabase
let connected: Database
before(async () => {
  database = await createTestDatabase()
  connected = connect({ url: database.url, max: 2 })
})
after(async () => {
  await connected.close()
  await database.drop()
})

const run = (...args: string[]) => businessCommand({ db: connected.db, clock: systemClock }, args)

test('LTR-57: letters to a business without a support e-mail go to its owners, and create says so', async () => {
  const { db } = connected
  const shop = ['--name', 'Quiet', '--currency', 'CAD', '--country', 'CA', '--time-zone', 'America/Toronto']
  const printed = await run('create', ...shop)
  const id = printed.slice(0, 36)
  match(printed, new RegExp(`no support e-mail[\\s\\S]*its\\nowners[\\s\\S]*--business ${id} --support-email EMAIL`))
  doesNotMatch(await run('create', ...shop, '--support-email', 'help@shop.example'), /support e-mail/)
  const notified = async () => (await findLetterSettings(db, id)).notifiedEmails
  deepEqual(await notified(), [])
  const add = (email: string, role: string) => addMember({ businessId: id, email, role })
  await add('first@shop.example', 'owner')
  await add('admin@shop.example', 'admin')
  await add('second@shop.example', 'owner')
  deepEqual(await notified(), ['first@shop.example', 'second@shop.example'])
  const both = await findBusinessWithLetterSettings(db, id)
  deepEqual(both?.settings.notifiedEmails, ['first@shop.example', 'second@shop.example'])
  await db.updateTable('business_member').set({ role: 'analyst' }).where('role', '=', 'owner').execute()
  deepEqual(await notified(), [])
  await add('third@shop.example', 'owner')
  await run('set', '--business', id, '--support-email', 'help@shop.example')
  deepEqual(await notified(), ['help@shop.example'])
  await run('set', '--business', id, '--notified-emails', 'books@shop.example')
  deepEqual(await notified(), ['books@shop.example'])
})

async function addMember({ businessId, email, role }: { businessId: string; email: string; role: string }) {
  const { db } = connected
  const [id, at] = [newId(), systemClock.now()]
  await db.insertInto('auth_user').values({ id, email, name: email, created_at: at, updated_at: at }).execute()
  const member = { business_id: businessId, user_id: id, role, created_at: at }
  await db.insertInto('business_member').values(member).execute()
}
