import { sql } from 'kysely'
import { LOCALES, type Locale } from '../../../contract/payment-page.ts'
import type { Role } from '../../../contract/permissions.ts'
import type { Business } from '../../businesses/business.ts'
import { BUSINESS_COLUMNS, businessFrom } from '../../businesses/business-queries.ts'
import type { Db } from '../../db/connection.ts'
import type { Tx } from '../../db/transaction.ts'

/** Returns the businesses of a person with their role in each, oldest membership first. */
export async function membershipsOf(db: Db, userId: string): Promise<{ business: Business; role: Role }[]> {
  const rows = await db
    .selectFrom('business_member')
    .innerJoin('business', 'business.id', 'business_member.business_id')
    .select(BUSINESS_COLUMNS)
    .select('business_member.role')
    .where('business_member.user_id', '=', userId)
    .orderBy('business_member.created_at')
    .orderBy('business.id')
    .execute()
  return rows.map(({ role, ...row }) => ({ business: businessFrom(row), role: role as Role }))
}

export interface Person {
  id: string
  /** E-mail address, in lower case. */
  email: string
  name: string
  locale: Locale | null
  passwordChangedAt: Date | null
}

const PASSWORD = 'credential'

const people = (db: Db) =>
  db
    .selectFrom('auth_user')
    .leftJoin('auth_account', (join) =>
      join.onRef('auth_account.user_id', '=', 'auth_user.id').on('auth_account.provider_id', '=', PASSWORD),
    )
    .select(['auth_user.id', 'auth_user.email', 'auth_user.name', 'auth_user.locale'])
    .select('auth_account.updated_at as passwordChangedAt')

type PersonRow = Omit<Person, 'locale'> & { locale: string | null }
const personFrom = (row: PersonRow): Person => ({ ...row, locale: LOCALES.find((one) => one === row.locale) ?? null })

export async function findPerson(db: Db, id: string): Promise<Person | null> {
  const row = await people(db).where('auth_user.id', '=', id).executeTakeFirst()
  return row ? personFrom(row) : null
}

export async function findPersonByEmail(db: Db, email: string): Promise<Person | null> {
  const row = await people(db).where('auth_user.email', '=', email.trim().toLowerCase()).executeTakeFirst()
  return row ? personFrom(row) : null
}

/** Returns the hash to check the person's password with, whatever their businesses. */
export async function findPasswordOf(db: Db, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('auth_account')
    .select('password')
    .where('user_id', '=', userId)
    .where('provider_id', '=', PASSWORD)
    .executeTakeFirst()
  return row?.password ?? null
}

export async function updatePerson(
  tx: Tx,
  { id, name, locale, at }: { id: string; name?: string | undefined; locale?: Locale | null | undefined; at: Date },
): Promise<void> {
  await tx
    .updateTable('auth_user')
    .set({ updated_at: at, ...(name !== undefined && { name }), ...(locale !== undefined && { locale }) })
    .where('id', '=', id)
    .execute()
}

/** @returns whether the person had a password */
export async function updatePassword(
  tx: Tx,
  { userId, passwordHash, at }: { userId: string; passwordHash: string; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('auth_account')
    .set({ password: passwordHash, updated_at: at })
    .where('user_id', '=', userId)
    .where('provider_id', '=', PASSWORD)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Whether there are no users here yet. */
export async function isWithoutUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('auth_user').select('id').limit(1).executeTakeFirst()) === undefined
}

/** Whether no business has members. */
export async function isWithoutMembers(db: Db): Promise<boolean> {
  return (await db.selectFrom('business_member').select('user_id').limit(1).executeTakeFirst()) === undefined
}

/** Locks a person, so that changes of their password and factors wait for each other. */
export async function lockPerson(tx: Tx, id: string): Promise<void> {
  await tx.selectFrom('auth_user').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Locks the tables, so that nobody else becomes a user or a member of a business before the commit. */
export async function lockPeople(tx: Tx): Promise<void> {
  await sql`lock table auth_user, business_member in share row exclusive mode`.execute(tx)
}

/** @returns the only business of a person; `null` for a person with several or none */
export async function onlyBusinessOf(db: Db, userId: string): Promise<string | null> {
  const query = db.selectFrom('business_member').select('business_id as id').where('user_id', '=', userId)
  const [first, second] = await query.limit(2).execute()
  return first && !second ? first.id : null
}

/** Whether the person owns a business. */
export async function isOwner(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('business_member')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
