import { html } from 'ghtml'
import { formatPercent } from '../../contract/money-text.ts'
import type { SavedCard } from '../../contract/payment-page.ts'
import { amountDue, surchargeState } from '../view/surcharge-state.ts'
import { type ContractView, contractPage } from './contract.ts'
import { attributes, icon } from './markup.ts'
import type { ClosedView, FormView, PageContext } from './page-context.ts'
import { chargesToday, savedCard } from './plan.ts'
import { money } from './summary.ts'

interface Closing {
  sign: string
  tone: 'good' | 'calm' | 'bad'
  title: string
  sentence: string
  extra?: string
  link?: { href: string | null; label: string }
}

/** Renders the page of a state in which nothing can be paid. */
export function closedPage(view: ClosedView, context: PageContext): string {
  return view.state === 'contract' ? contractPage(view, context) : panel(closing(view, context))
}

export function closedTitle(view: ClosedView, context: PageContext): string {
  return view.state === 'contract' ? view.contract.title : closing(view, context).title
}

/** Renders the same panels as templates, so that the script needs no texts for them. */
export function closedTemplates(view: FormView, context: PageContext): string {
  const { business } = view.data
  const session = view.data.checkout_session
  const amount = money(session, context, amountDue(session, surchargeState(view)))
  const { surcharge: charge } = session
  const surcharge = charge && { rate: charge.rate, amount: money(session, context, charge.amount) }
  const isPlan = !chargesToday(session)
  const saved = savedCard(session)
  const states: ClosedView[] = [
    {
      ...view,
      state: 'approved',
      business,
      receiptId: '',
      amount,
      surcharge,
      isPlan,
      savedCard: saved,
      returnUrl: session.success_url,
    },
    {
      ...view,
      state: 'paid',
      business,
      isPlan: session.mode !== 'payment',
      savedCard: saved,
      returnUrl: session.success_url,
    },
    {
      ...view,
      state: 'expired',
      business,
      isLink: session.mode !== 'payment' && session.cancel_url === null,
      returnUrl: session.cancel_url,
    },
    {
      ...view,
      state: 'cancelled',
      business,
      isCardLink: saved !== null,
      returnUrl: session.cancel_url,
    },
    { ...view, state: 'failed', business, returnUrl: session.cancel_url },
  ]
  return states
    .map((state) => html`<template id="state-${state.state}">!${closedPage(state, context)}</template>`)
    .join('')
}

function closing(view: Exclude<ClosedView, ContractView>, context: PageContext): Closing {
  const { text, say } = context
  const back = (href: string | null) => ({ href, label: say(text.return_link) })
  switch (view.state) {
    case 'approved':
      if (view.savedCard) return cardSaved(view, view.savedCard, context)
      if (view.isPlan) return planStarted(view.returnUrl, context)
      return {
        sign: 'check',
        tone: 'good',
        title: text.approved_title,
        sentence: '',
        extra: receipt(view, context),
        link: back(view.returnUrl),
      }
    case 'paid':
      if (view.savedCard) return cardSaved(view, view.savedCard, context)
      return {
        sign: 'check',
        tone: 'good',
        title: text.paid_title,
        sentence: view.isPlan ? text.plan_paid : text.paid,
        link: back(view.returnUrl),
      }
    case 'expired':
      return {
        sign: 'clock',
        tone: 'calm',
        title: text.expired_title,
        sentence: say(expiredSentence(view, text)),
        link: back(view.returnUrl),
      }
    case 'cancelled':
      return {
        sign: 'cross',
        tone: 'calm',
        title: text.cancelled_title,
        sentence: say(view.isCardLink ? text.card_link_cancelled : text.cancelled),
        link: back(view.returnUrl),
      }
    case 'failed':
      return failed(view.returnUrl, context)
    case 'not_found':
      return { sign: 'search', tone: 'calm', title: text.not_found_title, sentence: text.not_found }
    case 'error':
      return unavailable(view.retryAfterSeconds, context)
  }
}

function expiredSentence(
  { isLink, isCardLink }: Extract<ClosedView, { state: 'expired' }>,
  text: PageContext['text'],
): string {
  if (isCardLink) return text.card_link_expired
  return isLink ? text.expired_link : text.expired
}

/** Texts after a card was verified for a plan; nothing was charged. */
function planStarted(returnUrl: string | null, { text, say }: PageContext): Closing {
  return {
    sign: 'check',
    tone: 'good',
    title: text.started_title,
    sentence: text.started,
    extra: html`<p class="hint leaving">${returnUrl ? say(text.approved_leaving) : ''}</p>`,
    link: { href: returnUrl, label: say(text.return_link) },
  }
}

/** Texts after a card was verified, with this page or when its link was opened before. */
function cardSaved({ state }: { state: 'approved' | 'paid' }, saved: SavedCard, { text, say }: PageContext): Closing {
  const isNew = saved === 'stored'
  const sentence = state === 'paid' ? text.card_used : isNew ? text.card_stored : text.card_saved
  return {
    sign: 'check',
    tone: 'good',
    title: isNew ? text.card_stored_title : text.card_saved_title,
    sentence: say(sentence),
  }
}

function failed(returnUrl: string | null, { text, scriptText }: PageContext): Closing {
  return {
    sign: 'alert',
    tone: 'bad',
    title: text.failed_title,
    sentence: scriptText.max_attempts,
    extra: html`<div class="countdown" hidden><span></span><button type="button" class="plain">${text.stay_here}</button></div>`,
    link: { href: returnUrl, label: text.go_back_now },
  }
}

function unavailable(retryAfterSeconds: number | null, { text, scriptText, say }: PageContext): Closing {
  const wait = retryAfterSeconds && say(scriptText.rate_limited, { seconds: retryAfterSeconds })
  const title = text.error_title
  return { sign: 'alert', tone: 'calm', title, sentence: wait || text.error, link: { href: '', label: text.try_again } }
}

function receipt(view: Extract<ClosedView, { state: 'approved' }>, { text, say, formats }: PageContext): string {
  const { surcharge } = view
  const line = (name: string, value: string, fills: string) =>
    html`<div><dt>${name}</dt><dd data-fill="${fills}">${value}</dd></div>`
  const rate = surcharge ? formatPercent(surcharge.rate, formats) : ''
  // In the template, the script decides whether there was one.
  const extra =
    surcharge &&
    html`<div data-surcharge="yes"><dt>${say(text.surcharge, { rate })}</dt><dd>${surcharge.amount}</dd></div>`
  return html`<dl class="receipt"><div><dt>${text.approved_amount}</dt><dd data-total>${view.amount}</dd></div>!${extra ?? ''}
!${view.receiptId ? '' : line(text.approved_card, '', 'card')}
!${line(text.approved_receipt, view.receiptId, 'receipt')}</dl>
<p class="hint leaving">${view.returnUrl ? say(text.approved_leaving) : ''}</p>`
}

function panel({ sign, tone, title, sentence, extra, link }: Closing): string {
  const anchor =
    link && link.href !== null
      ? html`<p><a !${attributes({ class: 'button return', href: link.href })}>${link.label}</a></p>`
      : ''
  return html`<section class="panel closed ${tone}">
<span class="sign">!${icon(`sign-${sign}`)}</span>
<h1 tabindex="-1">${title}</h1>
!${sentence ? html`<p>${sentence}</p>` : ''}!${extra ?? ''}!${anchor}
</section>`
}
