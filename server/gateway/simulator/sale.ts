import { passesLuhn } from '../../lib/luhn.ts'
import type { StoredCredential } from '../gateway.ts'
import { BEHAVIOURS, type Behaviour, type BehaviourName } from './behaviours.ts'
import { codedBehaviour } from './coded-card.ts'
import { MAGIC_CARDS, type MagicCard, type Rule, type Situation } from './magic-cards.ts'
import { isNetworkToken, proofRefusal, proofTrace } from './payer-proof.ts'
import { type Intent, type Parts, type Reply, record, refuse } from './record.ts'
import type { SaleBody, TransactionResponse, VerifyBody } from './wire.ts'

const BY_NUMBER = new Map(MAGIC_CARDS.map((card) => [card.number, card]))

/** Authorizes and captures. Rules of script, expiry, CVV and stored credential precede the behaviour of the card. */
export function sale(parts: Parts, terminal: string, body: SaleBody): Reply {
  const { merchantRef, currency, amount } = body
  return authorize(parts, { op: 'sale', terminal, currency, merchantRef, amount }, body)
}

/** Checks the card by the same rules, for a zero amount. A partial approval of nothing is an approval. */
export function verify(parts: Parts, terminal: string, body: VerifyBody): Reply {
  const { merchantRef, currency } = body
  return authorize(parts, { op: 'verify', terminal, currency, merchantRef, amount: 0 }, body)
}

function authorize(parts: Parts, intent: Intent & { op: 'sale' | 'verify' }, body: VerifyBody): Reply {
  const { ledger, script } = parts
  const { op, terminal, merchantRef } = intent
  const { storedCredential } = body
  if (!passesLuhn(body.card.number)) return refuse(parts, intent, 'invalid_request', 'INVALID CARD NUMBER')

  const magic = BY_NUMBER.get(body.card.number)
  const card = ledger.cardTrace(body.card.number)
  intent.card = card
  intent.cvvPresent = body.cvv !== undefined
  if (storedCredential) intent.storedCredential = storedCredential
  Object.assign(intent, proofTrace(ledger, body))
  if (ledger.recorded(terminal, merchantRef)) return record(parts, intent, BEHAVIOURS.duplicate)

  const isUnknownCard = storedCredential?.initiator === 'merchant' && !ledger.isOnFile(card)
  const isProofUsed = intent.proofHash !== undefined && ledger.isProofUsed(intent.proofHash)
  const warnings = warningsOf(body, { isUnknownCard, isProofUsed })
  if (warnings.length > 0) intent.warnings = warnings

  const behaviour =
    script.behaviour({ op, terminal, merchantRef }) ??
    cardRefusal(body, script.now()) ??
    proofBehaviour(body, isProofUsed) ??
    (isUnknownCard && script.unknownStoredCards === 'decline' ? BEHAVIOURS.no_initial_charge : undefined) ??
    chosen(
      ruleOf(magic, { op, number: body.card.number }),
      situationOf(parts, intent.amount, body, ledger.ofCard(card)),
    )
  const isPartial = op === 'verify' && behaviour.verdict.outcome === 'partial'
  const reply = record(parts, intent, isPartial ? BEHAVIOURS.approved : behaviour)
  Object.assign(reply.response, checksOf(body, magic))
  return reply
}

function ruleOf(magic: MagicCard | undefined, { op, number }: { op: 'sale' | 'verify'; number: string }): Rule {
  return (op === 'verify' ? magic?.verify : undefined) ?? magic?.sale ?? codedBehaviour(number) ?? 'approved'
}

export function chosen(rule: Rule, situation: Situation): Behaviour {
  const name: BehaviourName = typeof rule === 'function' ? rule(situation) : rule
  return BEHAVIOURS[name]
}

/** Finds the magic card by the digits that the ledger stores. */
export function magicCardOf({ first6, last4 }: { first6: string; last4: string }): MagicCard | undefined {
  return MAGIC_CARDS.find(({ number }) => number.startsWith(first6) && number.endsWith(last4))
}

function situationOf(
  { script }: Parts,
  amount: number,
  { cvv, storedCredential }: VerifyBody,
  earlier: Situation['earlier'],
): Situation {
  return { amount, cvv: meansMatch(cvv) ? undefined : cvv, storedCredential, earlier, now: script.now() }
}

/** Returns the decline for the card's expiry or CVV. A card is valid until the end of its expiry month. */
function cardRefusal({ card, cvv }: VerifyBody, now: number): Behaviour | undefined {
  if (Date.UTC(card.expYear, card.expMonth) <= now) return BEHAVIOURS.expired_card
  return cvv !== undefined && /^0+$/.test(cvv) ? BEHAVIOURS.cvv_mismatch : undefined
}

function proofBehaviour(body: VerifyBody, isUsed: boolean): Behaviour | undefined {
  const refusal = proofRefusal(body, { isUsed })
  return refusal && BEHAVIOURS[refusal]
}

function meansMatch(cvv: string | undefined): boolean {
  return cvv === '999' || cvv === '9999'
}

function warningsOf(
  body: VerifyBody,
  { isUnknownCard, isProofUsed }: { isUnknownCard: boolean; isProofUsed: boolean },
): string[] {
  const { cvv, storedCredential, threeDs } = body
  const warnings: string[] = []
  if (isUnknownCard) warnings.push('merchant-initiated without an earlier charge by the cardholder')
  if (cvv !== undefined && isMerchantInitiated(storedCredential))
    warnings.push('CVV sent with a merchant-initiated charge')
  if (threeDs && isMerchantInitiated(storedCredential))
    warnings.push('authentication sent with a merchant-initiated charge')
  if (isProofUsed && isNetworkToken(body)) warnings.push('cryptogram used before')
  return warnings
}

function isMerchantInitiated(storedCredential: StoredCredential | undefined): boolean {
  return storedCredential?.initiator === 'merchant'
}

function checksOf({ cvv }: VerifyBody, magic: MagicCard | undefined): Partial<TransactionResponse> {
  return {
    avs: magic?.avs ?? 'Y',
    cvv: cvv === undefined ? undefined : cvvResponse(cvv, magic),
    funding: magic?.funding ?? 'credit',
    issuerCountry: magic?.issuerCountry ?? 'US',
  }
}

function cvvResponse(cvv: string, magic: MagicCard | undefined): 'M' | 'N' | 'P' {
  if (cvv === '001' || cvv === '0001') return 'P'
  if (meansMatch(cvv)) return 'M'
  return /^0+$/.test(cvv) || magic?.cvv === 'N' || magic?.code?.startsWith('N7') ? 'N' : 'M'
}
