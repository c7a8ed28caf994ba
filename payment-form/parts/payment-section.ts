import { html } from 'ghtml'
import type { FormRefusal } from '../../contract/payment-page.ts'
import { plural } from '../../contract/text.ts'
import { faultsOf } from '../fields/error-fields.ts'
import { resultText, WAIT_SECONDS_MAX } from '../view/result-texts.ts'
import { amountDue, type SurchargeState, surchargeState } from '../view/surcharge-state.ts'
import { asksStreet, billingFields, shippingFields } from './address-fields.ts'
import { cardFields, type FieldErrors } from './card-fields.ts'
import { consentBoxes, consentSentences } from './consent.ts'
import { attributes, icon } from './markup.ts'
import type { FormView, PageContext } from './page-context.ts'
import { chargesToday, savedCard } from './plan.ts'
import { savedCards } from './saved-cards.ts'
import { money } from './summary.ts'

/** Code for a post without JavaScript if the payer has to be authenticated. */
const SCRIPT_NEEDED = 'script_needed'

/** Renders the only form. Without JavaScript it posts to the URL of the page; see contract/form-post.ts. */
export function paymentSection(view: FormView, context: PageContext): string {
  const { text } = context
  const refusal = view.state === 'open' ? view.refusal : null
  const errors = fieldErrors(refusal, context)
  return html`<section class="payment" aria-labelledby="payment-title">
!${checkingPanel(context)}!${view.data.three_ds.enabled ? challengeRegion(context) : ''}
<form method="post" id="payment-form">
!${shownAmount(view)}
<h2 id="payment-title" class="visually-hidden">${text.card_details}</h2>
<div id="alert" class="alert" role="alert" tabindex="-1">!${refusal ? alertText(refusal, view, context) : triesLeft(view, context)}</div>
!${scriptNeeded(view, context)}
!${walletRow(view, context)}!${savedCards(view, context, errors)}
<div class="new-card">
<fieldset class="group"><legend class="visually-hidden">${text.card_details}</legend>!${cardFields(view, context, errors)}</fieldset>
!${billingFields(view, context, errors)}
</div>
!${shippingFields(view, context, errors)}
<div class="boxes">!${consentBoxes(view, context, errors.terms)}</div>
!${consentSentences(view, context)}
<p id="expiry-notice" class="notice" role="status"></p>
!${payButton(view, context)}
</form></section>`
}

/** Renders the row of the wallet, which is empty and takes up no space until the script has a button for it. */
function walletRow({ walletFrame }: FormView, { text }: PageContext): string {
  return walletFrame ? html`<div id="wallet" class="wallet"><p class="or">${text.or_card}</p></div>` : ''
}

/** Renders the total that the payer saw, for a post without JavaScript. */
function shownAmount(view: FormView): string {
  const value = amountDue(view.data.checkout_session, surchargeState(view)).toFixed(2)
  return html`<input !${attributes({ type: 'hidden', name: 'amount', value })}>`
}

/**
 * Renders the notice that a script is needed: 3-D Secure runs in frames that only a script can open. A refused post has
 * the same text as its alert.
 */
function scriptNeeded(view: FormView, { text }: PageContext): string {
  const isRefused = view.state === 'open' && view.refusal?.code === SCRIPT_NEEDED
  return view.data.three_ds.enabled && !isRefused ? html`<p class="alert no-script">${text.script_needed}</p>` : ''
}

export function payLabel(view: FormView, context: PageContext, state: SurchargeState): string {
  const { text, say } = context
  const session = view.data.checkout_session
  if (savedCard(session)) return text.save_new_card
  if (session.mode === 'subscription' && !chargesToday(session)) return text.start_plan
  return say(text.pay, { amount: money(session, context, amountDue(session, state)) })
}

function payButton(view: FormView, context: PageContext): string {
  const { text, say } = context
  const session = view.data.checkout_session
  const label = payLabel(view, context, surchargeState(view))
  const back =
    view.surface !== 'rapid' &&
    session.cancel_url !== null &&
    html`<p class="cancel"><a id="cancel" href="${session.cancel_url}">${text.cancel_link}</a></p>`
  // With the name field, the modal does not have room for the note on a phone (PAG-4).
  const isFull = view.surface === 'rapid' && view.data.three_ds.enabled
  const note = html`<p class="secure">!${icon('sign-lock')}<span>${say(text.secure_note)}</span></p>`
  return html`<button type="submit" id="pay" class="pay"><span class="spinner" aria-hidden="true"></span><span id="pay-label">${label}</span></button>
!${isFull ? '' : note}!${back || ''}`
}

function fieldErrors(refusal: FormRefusal | null, { scriptText }: PageContext): FieldErrors {
  const faults = faultsOf(refusal?.errors ?? {})
  return Object.fromEntries(faults.map(({ field, text }) => [field, scriptText[text]]))
}

function alertText(refusal: FormRefusal, view: FormView, context: PageContext): string {
  const { scriptText, say, text } = context
  if (refusal.code === SCRIPT_NEEDED) return html`<p>${text.script_needed}</p>`
  const session = view.data.checkout_session
  const left = refusal.attemptsLeft ?? attemptsLeft(view)
  const seconds = refusal.retryAfterSeconds ?? 60
  const values = {
    seconds,
    minutes: Math.ceil(seconds / 60),
    total: money(session, context, amountDue(session, surchargeState(view))),
  }
  return html`<p>${say(scriptText[resultText(codeOf(refusal, view))], values)}</p>!${leftText(left, context)}`
}

function codeOf({ code, errors, paymentMethod, retryAfterSeconds = 0 }: FormRefusal, view: FormView): string {
  if (code === 'N7' && paymentMethod?.startsWith('saved:') && view.data.payment_methods.saved_card.cvv_required)
    return 'N7_code'
  if (code === 'N7' && asksStreet(view)) return 'N7_street'
  if (code === 'rate_limited' && retryAfterSeconds > WAIT_SECONDS_MAX) return 'rate_limited_long'
  if (!Object.hasOwn(errors, 'amount')) return code
  return view.data.checkout_session.surcharge ? 'total' : 'amount'
}

/** Renders how many attempts are left, also after a reload. */
function triesLeft(view: FormView, context: PageContext): string {
  return leftText(attemptsLeft(view), context)
}

function leftText(left: number | null, { scriptText, locale }: PageContext): string {
  return left === null ? '' : html`<p id="attempts-left">${plural(scriptText.attempts_left, left, locale)}</p>`
}

function attemptsLeft(view: FormView): number | null {
  const { attempt_count: count, max_attempts: max } = view.data.checkout_session
  return count > 0 ? max - count : null
}

/** Renders the panel that replaces the form while the outcome of a payment is unknown. */
function checkingPanel({ text, scriptText }: PageContext): string {
  return html`<div id="checking" class="panel">
<span class="big-spinner" aria-hidden="true"></span>
<h2 id="checking-title" tabindex="-1">${text.checking_title}</h2><p>${scriptText.checking}</p>
<p id="checking-note" class="hint" role="status"></p>
<p class="no-script"><a href="">${text.check_again}</a></p>
</div>`
}

/** Renders the region that replaces the form while the payer confirms the payment in a frame of the bank. */
function challengeRegion({ text }: PageContext): string {
  return html`<div id="challenge">
<div class="challenge-top"><h2 id="challenge-title" tabindex="-1">${text.confirm_title}</h2>
<button type="button" id="cancel-challenge" class="plain">${text.confirm_cancel}</button></div>
<p class="hint">${text.confirm_hint}</p>
<div id="bank"></div>
</div>`
}
