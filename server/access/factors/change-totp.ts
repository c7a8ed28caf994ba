import { ApiError, invalidField } from '../../lib/errors.ts'
import { openText, sealText } from '../../lib/sealed-text.ts'
import { type ChangeContext, type Changer, changeFactors, type FactorChange } from './change-factors.ts'
import { acceptStep, deleteTotp, factorsOf, hasSecondFactor, setTotp } from './factor-queries.ts'
import { createCode, lookAtCode, useCode } from './one-time-code.ts'
import { newTotpSecret, totpRow, totpStepOf, totpUri } from './totp.ts'

/**
 * Creates a secret for an authenticator app. It takes effect, and replaces an earlier one, with its first correct code.
 */
export async function beginTotp(
  context: ChangeContext,
  { session }: Changer,
): Promise<{ ticket: string; secret: string; uri: string }> {
  const { keyring, clock, environment } = context
  const secret = newTotpSecret()
  const sealed = sealText(keyring, 'seal second factors', totpRow(session.userId), secret).toString('base64')
  const subject = { purpose: 'totp_register', userId: session.userId, sessionId: session.id, data: { sealed } } as const
  const ticket = await createCode(context, subject, clock.now())
  const issuer = environment === 'production' ? 'Rialto' : 'Rialto staging'
  return { ticket, ...totpUri(secret, { issuer, email: session.email }) }
}

/**
 * @throws ApiError `validation_failed` for an unknown ticket (`ticket`) or a wrong code (`code`); the ticket remains
 * valid
 */
export async function finishTotp(
  context: ChangeContext,
  changer: Changer,
  { ticket, code }: { ticket: string; code: string },
): Promise<FactorChange> {
  const { keyring, clock } = context
  const { userId, id: sessionId } = changer.session
  const given = { purpose: 'totp_register', code: ticket, sessionId } as const
  const found = await lookAtCode(context, given, clock.now())
  if (found?.userId !== userId) throw staleTicket()
  const sealed = Buffer.from(String(found.data?.sealed), 'base64')
  const step = await totpStepOf(openText(keyring, 'seal second factors', totpRow(userId), sealed), code, clock.now())
  if (step === null) throw invalidField('code', 'is not the code that the app shows now')
  return changeFactors(context, changer, async (tx) => {
    if (!(await useCode({ db: tx, keyring }, given, clock.now()))) throw staleTicket()
    await setTotp(tx, { userId, secret: sealed, at: clock.now() })
    // The code is used up, and cannot sign in again.
    await acceptStep(tx, userId, step)
    return { action: 'totp.add', change: 'totp_added' }
  })
}

const staleTicket = () => invalidField('ticket', 'is too old; begin again')

/** @throws ApiError `not_found`, `conflict` */
export function removeTotp(context: ChangeContext, changer: Changer): Promise<FactorChange> {
  return changeFactors(context, changer, async (tx) => {
    if (!(await deleteTotp(tx, changer.session.userId))) {
      throw new ApiError('not_found', { message: 'There is no authenticator app' })
    }
    return { action: 'totp.remove', change: 'totp_removed' }
  })
}

/**
 * Creates ten new codes; the old ones end.
 *
 * @throws ApiError `conflict` without a second factor
 */
export function renewRecoveryCodes(context: ChangeContext, changer: Changer): Promise<FactorChange> {
  return changeFactors(context, changer, async (tx) => {
    if (!hasSecondFactor(await factorsOf(tx, changer.session.userId)))
      throw new ApiError('conflict', { message: 'Add a second factor first' })
    return { action: 'recovery_codes.renew', change: 'recovery_codes_renewed', newCodes: true }
  })
}
