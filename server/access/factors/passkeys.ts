import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  VerifiedAuthenticationResponse,
  VerifiedRegistrationResponse,
} from '@simplewebauthn/server'
import type { Db } from '../../db/connection.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { createCode, useCode } from './one-time-code.ts'
import type { CodePurpose, CodeSubject, FoundCode } from './one-time-code-queries.ts'
import { findPasskey, listPasskeys, type Passkey, usePasskey } from './passkey-queries.ts'

// Ceremonies of passkeys, by @simplewebauthn/server. Challenges are one-time codes, so each is used once and for the
// purpose it was made for. User verification is required everywhere, because only then is a passkey two factors
// (DSH-35).

export interface PasskeyContext {
  db: Db
  keyring: Keyring
  clock: Clock
  /** Origin of the dashboard; passkeys belong to its host. */
  dashboardOrigin: string
}

/** A credential as a browser sends it; the library checks its content. */
export type Credential = Record<string, unknown>

/** Loads the library, which takes 25 MB, with the first ceremony. */
const library = () => import('@simplewebauthn/server')

const rpIdOf = ({ dashboardOrigin }: PasskeyContext) => new URL(dashboardOrigin).hostname

export async function registrationOptions(
  context: PasskeyContext,
  { sessionId, user }: { sessionId: string; user: { id: string; email: string; name: string } },
) {
  const { generateRegistrationOptions } = await library()
  const known = await listPasskeys(context.db, user.id)
  const challenge = await newChallenge(context, { purpose: 'passkey_register', userId: user.id, sessionId })
  return generateRegistrationOptions({
    rpName: 'Rialto',
    rpID: rpIdOf(context),
    userName: user.email,
    userDisplayName: user.name,
    userID: new Uint8Array(Buffer.from(user.id)),
    challenge,
    attestationType: 'none',
    excludeCredentials: known.map(idOf),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/**
 * Checks the response for a new passkey.
 *
 * @returns what to store of the passkey; `null` unless the response is to this session's challenge
 */
export async function verifyRegistration(
  context: PasskeyContext,
  { credential, sessionId, userId }: { credential: Credential; sessionId: string; userId: string },
): Promise<Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'isSynced'> | null> {
  const used = await useChallenge(context, { purpose: 'passkey_register', credential, sessionId })
  if (used?.userId !== userId) return null
  const { verifyRegistrationResponse } = await library()
  const { registrationInfo } = await verified<VerifiedRegistrationResponse>(
    () =>
      verifyRegistrationResponse({
        response: credential as unknown as RegistrationResponseJSON,
        ...expected(context, used.challenge),
      }),
    { verified: false },
  )
  if (!registrationInfo) return null
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  return {
    credentialId: Buffer.from(id, 'base64url'),
    publicKey: Buffer.from(publicKey),
    counter,
    transports: transports.map(String),
    isSynced: registrationInfo.credentialBackedUp,
  }
}

/**
 * Creates the options for signing with a passkey.
 *
 * @param of person whose passkey is requested; absent before sign-in, for any passkey in the browser
 */
export async function authenticationOptions(
  context: PasskeyContext,
  of: { sessionId: string; userId: string; reason: string } | null,
) {
  const { generateAuthenticationOptions } = await library()
  const challenge = await newChallenge(
    context,
    of
      ? { purpose: 'passkey_step_up', userId: of.userId, sessionId: of.sessionId, data: { reason: of.reason } }
      : { purpose: 'passkey_sign_in', userId: null },
  )
  return generateAuthenticationOptions({
    rpID: rpIdOf(context),
    challenge,
    userVerification: 'required',
    ...(of && { allowCredentials: (await listPasskeys(context.db, of.userId)).map(idOf) }),
  })
}

/** Owner of the passkey that signed. `isCopy` means that its counter does not grow, so that it proves nothing. */
export interface SignedByPasskey {
  userId: string
  passkey: Pick<Passkey, 'id' | 'name'>
  isCopy: boolean
  /** Reason of a step-up; otherwise `null`. */
  reason: string | null
}

/**
 * Checks a passkey's response to one of our challenges, and uses up the challenge.
 *
 * @param of person and session that the passkey must belong to; `null` at sign-in
 * @returns `null` if the response proves nothing
 */
export async function verifyAuthentication(
  context: PasskeyContext,
  { credential, of }: { credential: Credential; of: { sessionId: string; userId: string } | null },
): Promise<SignedByPasskey | null> {
  const purpose = of ? 'passkey_step_up' : 'passkey_sign_in'
  const used = await useChallenge(context, { purpose, credential, ...(of && { sessionId: of.sessionId }) })
  const passkey = await findPasskey(context.db, Buffer.from(String(credential.id), 'base64url'))
  if (!used || !passkey || (of && passkey.userId !== of.userId)) return null
  if (!namesUser(credential, passkey.userId)) return null
  const counter = await checkSignature(context, { credential, challenge: used.challenge, passkey })
  if (counter === null) return null
  const { id, name, counter: before, userId } = passkey
  const signed = { userId, passkey: { id, name }, reason: reasonIn(used) }
  // A passkey that counts must count up: if it shows the same or an earlier number, it or the other one is a copy.
  if (counter <= before && (counter > 0 || before > 0)) return { ...signed, isCopy: true }
  if (!(await usePasskey(context.db, { id, before, counter, at: context.clock.now() }))) return null
  return { ...signed, isCopy: false }
}

const reasonIn = ({ data }: FoundCode) => (typeof data?.reason === 'string' ? data.reason : null)

/**
 * Checks a signature.
 *
 * @returns the signed counter, which the caller compares; `null` if the signature is not the passkey's
 */
async function checkSignature(
  context: PasskeyContext,
  { credential, challenge, passkey }: { credential: Credential; challenge: string; passkey: Passkey },
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library()
  const { credentialId, publicKey } = passkey
  const known = { id: credentialId.toString('base64url'), publicKey: new Uint8Array(publicKey), counter: 0 }
  const result = await verified<VerifiedAuthenticationResponse | { verified: false }>(
    () =>
      verifyAuthenticationResponse({
        response: credential as unknown as AuthenticationResponseJSON,
        credential: known,
        ...expected(context, challenge),
      }),
    { verified: false },
  )
  return result.verified && 'authenticationInfo' in result ? result.authenticationInfo.newCounter : null
}

const expected = (context: PasskeyContext, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: context.dashboardOrigin,
  expectedRPID: rpIdOf(context),
  requireUserVerification: true,
})

/** Returns `otherwise` if the library throws, as it does for every invalid response. */
async function verified<Result>(verify: () => Promise<Result>, otherwise: Result): Promise<Result> {
  try {
    return await verify()
  } catch {
    return otherwise
  }
}

const idOf = ({ credentialId, transports }: Passkey) => ({ id: credentialId.toString('base64url'), transports })

async function newChallenge(context: PasskeyContext, subject: CodeSubject): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(Buffer.from(await createCode(context, subject, context.clock.now()), 'base64url'))
}

/** Uses up the challenge, even if the response turns out wrong: a challenge accepts one response. */
async function useChallenge(
  context: PasskeyContext,
  { purpose, credential, sessionId }: { purpose: CodePurpose; credential: Credential; sessionId?: string },
): Promise<(FoundCode & { challenge: string }) | null> {
  const challenge = challengeIn(credential)
  if (challenge === null) return null
  const given = { purpose, code: challenge, ...(sessionId !== undefined && { sessionId }) }
  const found = await useCode(context, given, context.clock.now())
  return found && { ...found, challenge }
}

function challengeIn({ response }: Credential): string | null {
  try {
    const { clientDataJSON } = response as { clientDataJSON: string }
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge: unknown }
    return typeof challenge === 'string' ? challenge : null
  } catch {
    return null
  }
}

/** Whether the response fits the user. A passkey that the browser found by itself says whose it is. */
function namesUser({ response }: Credential, userId: string): boolean {
  const { userHandle } = response as { userHandle?: unknown }
  return userHandle == null || Buffer.from(String(userHandle), 'base64url').toString() === userId
}
