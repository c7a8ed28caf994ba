import { html } from 'ghtml'
import { type SurchargeState, surchargeState } from '../view/surcharge-state.ts'
import { attributes } from './markup.ts'
import type { FormView, PageContext } from './page-context.ts'
import { planSentence, savedCard } from './plan.ts'

/** Renders the checkboxes above the button. None is checked in advance. */
export function consentBoxes(view: FormView, context: PageContext, termsError: string | undefined): string {
  const collection = view.data.checkout_session.consent_collection
  return [
    offersSaving(view) ? saveCardBox(context) : '',
    collection?.terms_of_service === 'required' ? termsBox(context, termsError) : '',
    collection?.promotions === 'auto' ? box('promotions', context.say(context.text.promotions)) : '',
  ].join('')
}

/** Renders the sentences beside the button: what is stored, and what a plan will cost. */
export function consentSentences(view: FormView, context: PageContext): string {
  const { text, say } = context
  const session = view.data.checkout_session
  const hidesReuse = session.consent_collection?.payment_method_reuse_agreement?.position === 'hidden'
  const sentences: string[] = []
  if (session.mode === 'subscription') {
    if (!savedCard(session)) sentences.push(say(text.how_to_cancel))
    if (!hidesReuse) sentences.push(say(text.card_kept_subscription))
  } else if (session.mode === 'setup' || (view.surface === 'rapid' && view.data.payment_methods.card.can_save)) {
    sentences.push(say(text.card_kept))
  }
  return planSentences(view, context) + sentences.map((sentence) => html`<p class="agreement">${sentence}</p>`).join('')
}

/**
 * Renders the sentences of a plan. With a surcharge there is one for each of its states, of which the script shows one.
 */
function planSentences(view: FormView, context: PageContext): string {
  const session = view.data.checkout_session
  if (session.mode === 'payment') return ''
  const now = surchargeState(view)
  const states: SurchargeState[] = session.surcharge ? ['yes', 'no', 'unknown'] : [now]
  return states
    .map((state) => {
      const shown = session.surcharge && { 'data-surcharge': state, hidden: state !== now }
      return html`<p !${attributes({ class: 'agreement plan', ...shown })}>${planSentence(session, context, state)}</p>`
    })
    .join('')
}

function offersSaving(view: FormView): boolean {
  const { payment_methods: methods, checkout_session: session } = view.data
  const hidesReuse = session.consent_collection?.payment_method_reuse_agreement?.position === 'hidden'
  return methods.card.can_save && !hidesReuse && session.mode === 'payment' && view.surface !== 'rapid'
}

function saveCardBox({ text, say }: PageContext): string {
  return html`<div class="new-card-only">!${box('save_card', say(text.save_card), say(text.card_kept_box))}</div>`
}

function termsBox(context: PageContext, error: string | undefined): string {
  const { text, business } = context
  const [before = '', after = ''] = context.say(text.terms, { terms: '\n' }).split('\n')
  const link = attributes({ href: business?.terms_url, target: '_blank', rel: 'noopener' })
  const name = business?.terms_url ? html`<a !${link}>${text.terms_link}</a>` : html`${text.terms_link}`
  const input = attributes({
    type: 'checkbox',
    name: 'terms',
    id: 'terms',
    value: 'on',
    required: true,
    'data-rule': 'terms',
    'aria-describedby': 'terms-error',
    'aria-invalid': error ? 'true' : null,
  })
  return html`<div class="field" data-field="terms"><label class="check"><input !${input}><span>${before}!${name}${after}</span></label>
<p class="field-error" id="terms-error">${error ?? ''}</p></div>`
}

function box(name: string, label: string, hint = ''): string {
  const input = attributes({
    type: 'checkbox',
    name,
    id: name,
    value: 'on',
    'aria-describedby': hint && `${name}-hint`,
  })
  const note = hint && html`<p class="hint" id="${name}-hint">${hint}</p>`
  return html`<div class="field"><label class="check"><input !${input}><span>${label}</span></label>!${note}</div>`
}
