import { expireSessions as expire } from '../../../server/checkout/sessions/expire-sessions.ts'
import { drawVerification, OUTCOMES, type OutcomeName, outcomesOfCard } from './gateway-outcomes.ts'
import type { ModelLink, ModelSession } from './model.ts'
import { beginSession, currentSession, expireSessions, type PageResponse, payPage } from './oracle-link.ts'
import { countOpen } from './recorded.ts'
import type { Run, Statuses, Sub } from './run.ts'
import { resolveAll } from './scheduler.ts'

// The customer of a subscription without a card opens its link, and pays on the new page or on an old one.

const NOTHING: Statuses = [0, 0]

export async function openLink(run: Run, sub: Sub): Promise<Statuses> {
  const { link } = sub.model
  if (!link) return NOTHING
  await findSession(run, sub, link)
  return NOTHING
}

/** Opens the link, and compares its session. @returns `null` if the subscription was canceled */
async function findSession({ world }: Run, { model }: Sub, link: ModelLink): Promise<ModelSession | null> {
  const { sessionTokens, signUps } = world.app.services
  const place = sessionTokens.open(link.token)
  const opened = place && (await signUps.openLink(place))
  if (opened === null || 'canceledBy' in opened) {
    if (opened && model.status === 'canceled') return null
    throw new Error('SUB-41 the link of a subscription that waits leads nowhere')
  }
  if (!('session' in opened)) throw new Error('SUB-41 the link leads to no session')
  const token = sessionTokens.make(opened.session)
  const nowMs = world.clock.ms()
  const expected = currentSession(model, link, nowMs)
  if (expected === null && link.sessions.every((one) => one.token !== token)) return beginSession(link, token, nowMs)
  if (expected?.token !== token) throw new Error('SUB-41 the link leads to another session')
  return expected
}

/** Pays with the token of the link, which stands for its session. */
export async function payByLink(run: Run, sub: Sub): Promise<Statuses> {
  const { link } = sub.model
  return link ? pay(run, sub, { link, token: link.token, kept: null }) : NOTHING
}

/** Pays on a page that was opened before, perhaps long ago. */
export async function payByPage(run: Run, sub: Sub): Promise<Statuses> {
  const { link } = sub.model
  if (!link || link.sessions.length === 0) return NOTHING
  const kept = run.random.pick(link.sessions)
  return pay(run, sub, { link, token: kept.token, kept })
}

interface Page {
  link: ModelLink
  token: string
  kept: ModelSession | null
}

async function pay(run: Run, sub: Sub, { link, token, kept }: Page): Promise<Statuses> {
  const { world, random, seed, trace } = run
  const { model } = sub
  const nowMs = world.clock.ms()
  const card = drawCard(run)
  const verification = drawVerification(random)
  const current = kept ?? currentSession(model, link, nowMs)
  const isGone = kept === null && model.status === 'canceled'
  const outcomes = outcomesOfCard(seed, card)
  const stalled = (await mayStall(run, outcomes(0))) ? world.gateway.holdSale({ isBlind: false }) : null
  const paying = world.gateway.withVerification(verification, () => world.pay(token, card, model.amount))
  const isStalled = stalled !== null && (await Promise.race([stalled.made, paying.then(() => false)]))
  if (!isStalled) await paying
  const session = isGone ? null : (current ?? (await newSession(run, link)))
  let index = 0
  const sell = () => (index++ === 0 && isStalled ? 'lost_response' : outcomes(index - 1))
  const expected: PageResponse = session ? payPage(model, session, nowMs, { sell, verification }) : 'session_cancelled'
  if (isStalled) await outlast(run)
  stalled?.release()
  const response = await paying
  trace.note(`${sub.ordinal} card ${card}: ${response}`)
  if (response !== expected) throw new Error(`SUB-41 ${sub.ordinal}: the page says ${response}, the model ${expected}`)
  if (index !== world.gateway.salesOf(card).length) throw new Error('SUB-41 the page sent another number of sales')
  if (response === 'paid') await chargeTheCard(run, sub, card)
  return NOTHING
}

const DECLINED = 0.4

/** Draws a card: few are declined at their first sale, and only the third decline of a page ends it. */
function drawCard(run: Run): number {
  const isDeclined = run.random.chance(DECLINED)
  for (;;) {
    const card = run.cards++
    if (!isDeclined || OUTCOMES[outcomesOfCard(run.seed, card)(0)].learned === 'declined') return card
  }
}

const STALLS = { declined: 0.7, approved: 0.15 }

/**
 * Whether the process of this payment is suspended once the gateway has responded. For a decline it would record the
 * attempt, which only the fence prevents from being counted.
 */
async function mayStall({ world, random, isQuiet }: Run, next: OutcomeName): Promise<boolean> {
  const { learned } = OUTCOMES[next]
  if (isQuiet || learned === 'unknown') return false
  const isDrawn = random.chance(learned === 'approved' ? STALLS.approved : STALLS.declined)
  // Other open operations are resolved separately.
  return isDrawn && (await countOpen(world.app.services.db)) === 0
}

/**
 * Lets recovery decide meanwhile: the page was told nothing, so an approval is reversed, and a decline does not count.
 */
async function outlast(run: Run): Promise<void> {
  run.counts.stalls += 1
  await resolveAll(run)
  run.trace.note(`the page stood still until ${run.world.clock.ms()}`)
}

/** Returns the session that the payment by the link began. */
async function newSession({ world }: Run, link: ModelLink): Promise<ModelSession> {
  const { sessionTokens, signUps } = world.app.services
  const place = sessionTokens.open(link.token)
  const opened = place && (await signUps.openLink(place))
  if (!opened || !('session' in opened)) throw new Error('SUB-41 the payment by the link began no session')
  return beginSession(link, sessionTokens.make(opened.session), world.clock.ms())
}

/** Makes the page's card the card of the subscription from now on. */
async function chargeTheCard({ world }: Run, sub: Sub, card: number): Promise<void> {
  const { body } = await world.call(sub.shop, 'GET', `/subscriptions/${sub.id}`)
  Object.assign(sub, { card, cardId: body.payment_method })
}

export async function closeExpiredPages({ world, subs }: Run): Promise<void> {
  await expire(world.app.services)
  for (const { model } of subs) expireSessions(model, world.clock.ms())
}
