import { lockBusiness } from '../../businesses/business-queries.ts'
import type { Tx } from '../../db/transaction.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { joinBusiness, listMembers } from '../people/member-queries.ts'
import { findUserId, insertPassword, insertUser } from '../people/user-queries.ts'
import { type Invitation, invitationHashes } from './invitation.ts'
import {
  endInvitation,
  findInvitation,
  type InvitationOfLink,
  lockInvitation,
  markAccepted,
} from './invitation-queries.ts'

interface Context {
  tx: Tx
  keyring: Keyring
  now: Date
}

/** A person who has no account yet. */
export interface NewPerson {
  name: string
  passwordHash: string
}

interface Acceptance {
  code: string
  /** Person who is signed in in this browser; `null` if nobody is. */
  signedIn: { userId: string } | null
  newPerson: NewPerson | null
}

const unusable = () =>
  invalidField('code', 'the invitation was used, withdrawn or declined, or it is older than 7 days')

/** @throws ApiError `validation_failed` naming `code` */
export async function lookAtInvitation({ tx, keyring, now }: Context, code: string): Promise<InvitationOfLink> {
  const found = await findInvitation(tx, { hashes: invitationHashes(keyring, code), now })
  if (!found) throw unusable()
  return found
}

/**
 * Makes the person a member with the role in the invitation. A new person gets an account; a known one has to be signed
 * in with the invited address.
 *
 * @throws ApiError `validation_failed`, `signed_out`, `permission_denied` for a person who is signed in as someone else
 * @see DSH-13
 */
export async function acceptInvitation(
  { tx, keyring, now }: Context,
  { code, signedIn, newPerson }: Acceptance,
): Promise<{ invitation: Invitation; userId: string; isNew: boolean }> {
  const invitation = await lockInvitation(tx, { hashes: invitationHashes(keyring, code), now })
  if (!invitation) throw unusable()
  const { businessId, email, role, invitedBy } = invitation
  await lockBusiness(tx, businessId)
  await requireInviter(tx, invitation)
  const known = await findUserId(tx, email)
  if (known !== null) requireSignedIn(known, signedIn)
  const userId = known ?? (await createPerson(tx, { email, newPerson, now }))
  if (!(await joinBusiness(tx, { businessId, userId, role, invitedBy, at: now })))
    throw invalidField('code', 'you belong to this business already')
  await markAccepted(tx, invitation.id, now)
  return { invitation, userId, isNew: known === null }
}

/** Requires that whoever made the invitation still has the rights for it (DSH-14). */
async function requireInviter(tx: Tx, { businessId, invitedBy, role }: Invitation): Promise<void> {
  const team = await listMembers(tx, businessId)
  const inviter = team.find(({ userId }) => userId === invitedBy)
  const may = inviter?.role === 'owner' || (inviter?.role === 'admin' && role !== 'owner')
  if (!may) throw unusable()
}

function requireSignedIn(known: string, signedIn: Acceptance['signedIn']): void {
  if (!signedIn) throw new ApiError('signed_out', { message: 'Sign in with the invited address to accept' })
  if (signedIn.userId !== known)
    throw new ApiError('permission_denied', { message: 'This invitation is for another address' })
}

async function createPerson(
  tx: Tx,
  { email, newPerson, now: at }: Pick<Acceptance, 'newPerson'> & { email: string; now: Date },
): Promise<string> {
  if (!newPerson) throw invalidField('password', 'is required for a new account, and so is name')
  const userId = newId()
  // Another invitation of this address, from another business, was accepted at the same time.
  if (!(await insertUser(tx, { id: userId, email, name: newPerson.name, at })))
    throw new ApiError('signed_out', { message: 'Sign in with the invited address to accept' })
  await insertPassword(tx, { id: newId(), userId, passwordHash: newPerson.passwordHash, at })
  return userId
}

/** @throws ApiError `validation_failed` naming `code` */
export async function declineInvitation({ tx, keyring, now }: Context, code: string): Promise<Invitation> {
  const invitation = await lockInvitation(tx, { hashes: invitationHashes(keyring, code), now })
  if (!invitation) throw unusable()
  await endInvitation(tx, { businessId: invitation.businessId, id: invitation.id, at: now })
  return invitation
}
