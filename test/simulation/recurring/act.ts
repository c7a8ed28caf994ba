import { openLink, payByLink, payByPage } from './act-link.ts'
import {
  archiveThePlan,
  changeThePrice,
  changeZone,
  releaseTheMissed,
  replaceTheCard,
  retryNow,
} from './act-merchant.ts'
import { moneyBack, refundTwice } from './act-money.ts'
import { settleBatchByHand } from './batches.ts'
import { describeModel } from './compare.ts'
import { OUTCOMES, outcomesOfCard } from './gateway-outcomes.ts'
import { asOf, passBoundary, today } from './oracle.ts'
import {
  cancelAtPeriodEnd,
  cancelNow,
  chargesToday,
  type PauseBody,
  paidThroughOf,
  pause,
  remainingSeconds,
  resume,
  undoPause,
  unusedAmounts,
} from './oracle-requests.ts'
import { drawPause, drawRequest, type RequestName } from './requests.ts'
import type { Run, Statuses, Sub } from './run.ts'

// One merchant request, to the service and to the model. Both must agree on the status of the response.

export async function act(run: Run, sub: Sub): Promise<void> {
  const { random } = run
  const name =
    isLostNext(run, sub) && random.chance(0.4) ? 'resume now' : drawRequest(random, sub.model, quotedOf(run, sub))
  const status = await request(run, sub, name)
  const following = FOLLOWING[name]
  if (!following || status < 200 || status >= 300 || !random.chance(FOLLOWED)) return
  for (const next of random.pick(following)) await request(run, sub, next)
}

/** Requests after a refund or void: the rest of the period shows at a pause, and at the resume after it. */
const AFTER_GIVING_BACK: RequestName[][] = [
  ['preview a pause'],
  ['pause'],
  ['pause', 'resume unchanged'],
  ['pause', 'refund'],
]
/** Requests that show whether successive pauses of the same time add up. */
const AFTER_RESUMING: RequestName[][] = [['preview a pause'], ['pause', 'resume now', 'pause', 'resume now']]
const FOLLOWING: Partial<Record<RequestName, RequestName[][]>> = {
  refund: AFTER_GIVING_BACK,
  void: AFTER_GIVING_BACK,
  'refund twice at once': AFTER_GIVING_BACK,
  'resume now': AFTER_RESUMING,
}
const FOLLOWED = 0.5

async function request(run: Run, sub: Sub, name: RequestName): Promise<number> {
  const { trace, counts } = run
  const [status, expected] = await REQUESTS[name](run, sub)
  counts.requests += 1
  if (status >= 400) counts.refused += 1
  trace.note(`${sub.ordinal} ${name} ${status}`)
  if (status !== expected) throw new Error(`${sub.ordinal}: ${name} is ${status}, the model says ${expected}`)
  return status
}

/** Returns whether the outcome of a resume would be unknown. */
export function isLostNext({ seed, world }: Run, { card, model }: Sub): boolean {
  const next = outcomesOfCard(seed, card)(world.gateway.salesOf(card).length)
  return model.status === 'paused' && OUTCOMES[next].learned === 'unknown'
}

/** Returns when a subscription that is still paused requested its quote. */
export function quotedOf({ world }: Run, { model, quote }: Sub): 'earlier' | 'today' | null {
  if (quote === null || model.status !== 'paused') return null
  return quote.day < today(model, world.clock.ms()) ? 'earlier' : 'today'
}

const post = async ({ world }: Run, { shop, id }: Sub, path: string, body?: object) =>
  world.call(shop, 'POST', `/subscriptions/${id}${path}`, body)

const REQUESTS: Record<RequestName, (run: Run, sub: Sub) => Promise<Statuses>> = {
  async pause(run, sub) {
    const body: PauseBody = drawPause(run.random)
    const { status, body: paused } = await post(run, sub, '/pause', body)
    const expected = pause(sub.model, body, run.world.clock.ms())
    const { remaining_paid_seconds: remaining } = paused.pause ?? {}
    if (status === 200 && remaining !== sub.model.pause?.remainingSeconds)
      throw new Error(`INV-36 ${remaining} seconds remain, the model says ${sub.model.pause?.remainingSeconds}`)
    const through = paused.pause?.paid_through_at
    if (status === 200 && through !== paidThroughOf(sub.model))
      throw new Error(`INV-44 paid through ${through}, the model says ${paidThroughOf(sub.model)}`)
    return [status, expected]
  },
  async 'take back the pause'(run, sub) {
    const { status } = await post(run, sub, '/pause-at-period-end/undo')
    return [status, undoPause(sub.model, run.world.clock.ms())]
  },
  async cancel({ world }, { shop, id, model }) {
    const { status } = await world.call(shop, 'DELETE', `/subscriptions/${id}`)
    return [status, cancelNow(model, world.clock.ms())]
  },
  async 'cancel at end'(run, sub) {
    const { status } = await post(run, sub, '', { cancel_at_period_end: true })
    return [status, cancelAtPeriodEnd(sub.model, true, run.world.clock.ms())]
  },
  async 'take back the cancel'(run, sub) {
    const { status } = await post(run, sub, '', { cancel_at_period_end: false })
    return [status, cancelAtPeriodEnd(sub.model, false, run.world.clock.ms())]
  },
  'resume now': (run, sub) => resumeNow(run, sub, (hash) => hash),
  async 'resume unchanged'(run, sub) {
    const body = { billing_cycle_anchor: 'unchanged', proration_behavior: 'none' }
    const { status } = await post(run, sub, '/resume', body)
    return [status, resume(sub.model, 'unchanged', run.world.clock.ms(), noSale)]
  },
  'resume with a wrong quote': (run, sub) =>
    resumeNow(run, sub, (hash) => hash?.replace(/^./, (c) => (c === '0' ? '1' : '0'))),
  'resume without a quote': (run, sub) => resumeNow(run, sub, () => undefined),
  async 'ask for a quote'(run, sub) {
    const { status, body } = await post(run, sub, '/resume/preview', { billing_cycle_anchor: 'now' })
    const nowMs = run.world.clock.ms()
    const model = asOf(sub.model, nowMs)
    const hash: string | null = status === 200 ? body.quote_hash : null
    sub.quote = hash === null ? null : { hash, day: today(model, nowMs), state: describeModel(model) }
    return [status, model.status === 'paused' && !model.openSale ? 200 : 409]
  },
  async 'resume with an old quote'(run, sub) {
    const { quote, model } = sub
    if (!quote || model.status !== 'paused') return [0, 0]
    sub.quote = null
    const isOfToday = quote.day === today(model, run.world.clock.ms())
    const isCurrent = isOfToday && quote.state === describeModel(model)
    return resumeNow(run, sub, (hash) => {
      // Compared here: an engine that accepts it also returns the same quote again.
      if (!isOfToday && hash === quote.hash) throw new Error('INV-41 a quote is that of an earlier day')
      return isCurrent || hash === undefined ? hash : quote.hash
    })
  },
  async 'preview a pause'(run, sub) {
    const { status, body } = await post(run, sub, '/pause/preview', { mode: 'immediate' })
    const nowMs = run.world.clock.ms()
    const model = asOf(sub.model, nowMs)
    const mayPause = model.status === 'active' && model.cancelAtMs === null && model.pause === null && !model.openSale
    if (status === 200) {
      const { unused, suggested } = unusedAmounts(model, nowMs)
      const shown = [body.unused_prepaid_amount, body.suggested_refund_amount, body.requires_unused_time_choice]
      const right = [unused, suggested, remainingSeconds(model, nowMs) > 0]
      if (String(shown) !== String(right)) throw new Error(`INV-37 the preview shows ${shown}, the model ${right}`)
    }
    return [status, mayPause ? 200 : 409]
  },
  async read({ world }, { shop, id, customerId, model }) {
    passBoundary(model, world.clock.ms())
    const { body: list } = await world.call(shop, 'GET', `/subscriptions?customer=${customerId}&status=${model.status}`)
    if (!list.data.some((one: { id: string }) => one.id === id))
      throw new Error(`SUB-11 no ${model.status} list has it`)
    const { status, body } = await world.call(shop, 'GET', `/subscriptions/${id}`)
    if (body.status !== model.status) throw new Error(`SUB-11 it shows ${body.status}, the model says ${model.status}`)
    return [status, 200]
  },
  refund: (run, sub) => moneyBack(run, sub, 'refund'),
  void: (run, sub) => moneyBack(run, sub, 'void'),
  'refund twice at once': refundTwice,
  'retry now': retryNow,
  'bill what was missed': (run, sub) => releaseTheMissed(run, sub, 'bill'),
  'skip what was missed': (run, sub) => releaseTheMissed(run, sub, 'skip'),
  'change the price': changeThePrice,
  'replace the card': replaceTheCard,
  'archive the plan': archiveThePlan,
  'change the time zone': changeZone,
  'settle the batch': settleBatchByHand,
  'open the link': openLink,
  'pay by the link': payByLink,
  'pay on an old page': payByPage,
  async detach({ world }, { shop, cardId, model }) {
    if (model.link?.isUnused) return [0, 0]
    const { status } = await world.call(shop, 'DELETE', `/payment_methods/${cardId}`)
    model.card = 'detached'
    return [status, 200]
  },
}

const noSale = () => {
  throw new Error('INV-39 a resume unchanged charges nothing')
}

async function resumeNow(
  run: Run,
  sub: Sub,
  change: (hash: string | undefined) => string | undefined,
): Promise<Statuses> {
  const { world, seed } = run
  const nowMs = world.clock.ms()
  const preview = await post(run, sub, '/resume/preview', { billing_cycle_anchor: 'now' })
  // The resume applies everything that has passed, whatever it responds.
  const { model } = sub
  passBoundary(model, nowMs)
  const mayResume = model.status === 'paused' && !model.openSale
  if (preview.status !== (mayResume ? 200 : 409)) throw new Error(`the preview of a resume is ${preview.status}`)
  const charges = mayResume && chargesToday(model)
  if (mayResume && preview.body.charge_due_today !== (charges ? model.amount : 0))
    throw new Error(`INV-41 the preview charges ${preview.body.charge_due_today}`)
  const quoted: string | undefined = preview.body.quote_hash ?? undefined
  const hash = change(quoted)
  const sent = world.gateway.salesOf(sub.card)
  let index = sent.length
  const { status } = await post(run, sub, '/resume', {
    billing_cycle_anchor: 'now',
    proration_behavior: 'none',
    ...(hash !== undefined && { quote_hash: hash }),
  })
  if (charges && hash === undefined) return [status, 422]
  if (charges && hash !== quoted) return [status, 409]
  const outcomes = outcomesOfCard(seed, sub.card)
  const expected = resume(model, 'now', nowMs, () => outcomes(index++))
  if (index !== sent.length) throw new Error('INV-40 the resume sent another number of sales')
  return [status, expected]
}
