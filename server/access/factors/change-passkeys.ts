import { transaction } from '../../db/transaction.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { auditPerson } from '../people/audit-person.ts'
import { type ChangeContext, type Changer, changeFactors, type FactorChange } from './change-factors.ts'
import { deletePasskey, insertPasskey, listPasskeys, type Passkey, renamePasskey } from './passkey-queries.ts'
import { type Credential, type PasskeyContext, verifyRegistration } from './passkeys.ts'

type Context = ChangeContext & PasskeyContext

const PASSKEYS_MAX = 20

/** @throws ApiError `validation_failed` for a credential that does not respond to this session's challenge */
export async function addPasskey(
  context: Context,
  changer: Changer,
  { name, credential }: { name: string; credential: Credential },
): Promise<FactorChange> {
  const { userId, id: sessionId } = changer.session
  const made = await verifyRegistration(context, { credential, sessionId, userId })
  if (!made) throw invalidField('credential', 'is not a new passkey of this dashboard; begin again')
  return changeFactors(context, changer, async (tx) => {
    if ((await listPasskeys(tx, userId)).length >= PASSKEYS_MAX) {
      throw invalidField('credential', `there are ${PASSKEYS_MAX} already; remove one first`)
    }
    const id = newId()
    const isNew = await insertPasskey(tx, { id, userId, name, createdAt: context.clock.now(), ...made })
    if (!isNew) throw invalidField('credential', 'is registered already')
    const object = { type: 'passkey', id }
    const after = { name, is_synced: made.isSynced }
    return { action: 'passkey.add', change: 'passkey_added', object, after }
  })
}

/** @throws ApiError `not_found`, `conflict` */
export function removePasskey(context: Context, changer: Changer, id: string): Promise<FactorChange> {
  return changeFactors(context, changer, async (tx) => {
    const name = await deletePasskey(tx, { userId: changer.session.userId, id })
    if (name === null) throw unknownPasskey()
    return { action: 'passkey.remove', change: 'passkey_removed', object: { type: 'passkey', id }, before: { name } }
  })
}

/** @throws ApiError `not_found` */
export function namePasskey(
  { db, clock }: Context,
  { session, actor }: Changer,
  { id, name }: { id: string; name: string },
): Promise<Passkey> {
  const { userId } = session
  return transaction(db, async (tx) => {
    const passkey = await renamePasskey(tx, { userId, id, name })
    if (!passkey) throw unknownPasskey()
    const object = { type: 'passkey', id }
    await auditPerson(tx, { userId, actor, action: 'passkey.rename', object, after: { name } }, clock.now())
    return passkey
  })
}

const unknownPasskey = () => new ApiError('not_found', { message: 'You have no such passkey' })
