import type { Locale } from '../../../contract/payment-page.ts'
import { recordAudit } from '../../audit/audit-queries.ts'
import type { Country } from '../../businesses/business.ts'
import { createBusiness } from '../../businesses/create-business.ts'
import type { Db } from '../../db/connection.ts'
import { transaction } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Keyring } from '../../lib/keyring.ts'
import type { Currency } from '../../lib/money.ts'
import type { Changer } from '../factors/change-factors.ts'
import { createCode, lookAtCode, useCode } from '../factors/one-time-code.ts'
import { hashPassword } from '../people/password.ts'
import {
  findPerson,
  findPersonByEmail,
  isWithoutMembers,
  isWithoutUsers,
  lockPeople,
  updatePerson,
} from '../people/person-queries.ts'
import { insertMember, insertPassword, insertUser } from '../people/user-queries.ts'
import { staleLink } from './password-reset.ts'
import { continueSignIn, type From, finishSignIn, type SignInContext, type SignInResult } from './sign-in.ts'

type Context = { db: Db; keyring: Keyring; clock: Clock }

/** @returns the code of a link for the first person here; `null` if there are people already (DSH-13) */
export async function createSetUpCode(context: Context): Promise<string | null> {
  if (!(await isWithoutUsers(context.db))) return null
  return createCode(context, { purpose: 'set_up', userId: null }, context.clock.now())
}

/** @returns the code of a link that replaces the person's password for ten minutes; `null` for an unknown e-mail */
export async function createSignInCode(context: Context, email: string): Promise<string | null> {
  const person = await findPersonByEmail(context.db, email)
  return person && createCode(context, { purpose: 'sign_in_link', userId: person.id }, context.clock.now())
}

/**
 * Returns what a link is for.
 *
 * @throws ApiError `validation_failed` for a link that is used, too old or unknown
 */
export async function lookAtLink(
  context: Context,
  code: string,
): Promise<{ purpose: 'first_owner' | 'sign_in'; email: string | null }> {
  const now = context.clock.now()
  const isSetUp = await lookAtCode(context, { purpose: 'set_up', code }, now)
  if (isSetUp && (await isWithoutUsers(context.db))) return { purpose: 'first_owner', email: null }
  const userId = (await lookAtCode(context, { purpose: 'sign_in_link', code }, now))?.userId
  const person = userId ? await findPerson(context.db, userId) : null
  if (!person) throw staleLink()
  return { purpose: 'sign_in', email: person.email }
}

/** @throws ApiError `validation_failed` */
export async function signInByLink(context: SignInContext, code: string, from: From): Promise<SignInResult> {
  const used = await useCode(context, { purpose: 'sign_in_link', code }, context.clock.now())
  if (!used?.userId) throw staleLink()
  return continueSignIn(context, used.userId, from)
}

interface FirstOwner {
  code: string
  email: string
  name: string
  password: string
  locale?: Locale | null | undefined
}

/**
 * Creates the first person and signs them in. Of concurrent calls, one succeeds.
 *
 * @throws ApiError `validation_failed`
 */
export async function createFirstOwner(
  context: SignInContext,
  { code, email, name, password, locale = null }: FirstOwner,
  from: From,
): Promise<SignInResult> {
  const { db, keyring, clock } = context
  const passwordHash = await hashPassword(password)
  return transaction(db, async (tx) => {
    await lockPeople(tx)
    const at = clock.now()
    const used = await useCode({ db: tx, keyring }, { purpose: 'set_up', code }, at)
    if (!used || !(await isWithoutUsers(tx))) throw staleLink()
    const id = newId()
    if (!(await insertUser(tx, { id, email: email.toLowerCase(), name, at }))) throw invalidField('email', 'is taken')
    await updatePerson(tx, { id, locale, at })
    await insertPassword(tx, { id: newId(), userId: id, passwordHash, at })
    return finishSignIn(context, tx, { userId: id, proof: 'password', from })
  })
}

interface FirstBusiness {
  name: string
  country: Country
  province?: string | null | undefined
  timeZone: string
  currency: Currency
}

/** @throws ApiError `not_found` if anybody already has a business; `validation_failed` */
export function createFirstBusiness(
  { db, clock }: Context,
  { session, actor }: Changer,
  { province = null, ...business }: FirstBusiness,
): Promise<string> {
  const { userId } = session
  return transaction(db, async (tx) => {
    await lockPeople(tx)
    if (!(await isWithoutMembers(tx))) throw new ApiError('not_found', { message: 'The set-up is finished' })
    const { id } = await createBusiness({ db: tx, clock }, { ...business, province })
    await insertMember(tx, { businessId: id, userId, at: clock.now() })
    const entry = { businessId: id, actor, action: 'business.create', object: { type: 'business', id } } as const
    await recordAudit(tx, { ...entry, before: null, after: { ...business }, outcome: 'done' }, clock.now())
    return id
  })
}
