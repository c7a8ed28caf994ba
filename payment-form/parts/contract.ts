import { html } from 'ghtml'
import { attributes, icon } from './markup.ts'
import type { ClosedView, PageContext } from './page-context.ts'

export type ContractView = Extract<ClosedView, { state: 'contract' }>

/** Renders a contract to read and sign, which works without JavaScript; once it is signed, it is read-only. */
export function contractPage({ contract, missing }: ContractView, context: PageContext): string {
  const { text, say } = context
  const paragraphs = contract.text.split(/\n\s*\n/).map((part) => html`<p>${part.trim()}</p>`)
  const notice = { draft: say(text.contract_draft), sent: text.contract_read, signed: text.contract_signed }
  return html`<section class="panel contract">
<h1 id="contract-title" tabindex="-1">${contract.title}</h1>
<p class="hint">!${contract.status === 'signed' ? icon('sign-check') : ''}<span>${notice[contract.status]}</span></p>
!${contract.status === 'draft' ? '' : html`<div class="contract-text" tabindex="0" role="region" aria-labelledby="contract-title">!${paragraphs.join('')}</div>`}
!${contract.status === 'sent' ? signature(missing, context) : ''}
</section>`
}

function signature(missing: ContractView['missing'], { text, say }: PageContext): string {
  const [nameError, boxError] = [missing.includes('name'), missing.includes('agreement')]
  const name = attributes({
    type: 'text',
    id: 'contract_name',
    name: 'contract_name',
    autocomplete: 'name',
    required: true,
    maxlength: 100,
    'aria-describedby': 'contract_name-hint contract_name-error',
    'aria-invalid': nameError ? 'true' : null,
  })
  const agreed = attributes({
    type: 'checkbox',
    id: 'contract_agreed',
    name: 'contract_agreed',
    value: 'on',
    required: true,
    'aria-describedby': 'contract_agreed-error',
    'aria-invalid': boxError ? 'true' : null,
  })
  return html`<form method="post" class="signature">
<div class="alert" role="alert">!${missing.length > 0 ? html`<p>${text.contract_incomplete}</p>` : ''}</div>
<div class="field"><div class="label-row"><label for="contract_name">${text.contract_name}</label></div>
<div class="control"><input !${name}></div>
<p class="hint" id="contract_name-hint">${text.contract_name_hint}</p>
<p class="field-error" id="contract_name-error">${nameError ? text.contract_name_required : ''}</p></div>
<div class="field"><label class="check"><input !${agreed}><span>${say(text.contract_agree)}</span></label>
<p class="field-error" id="contract_agreed-error">${boxError ? text.contract_agree_required : ''}</p></div>
<button type="submit" class="pay">${text.contract_sign}</button>
<p class="secure">!${icon('sign-lock')}<span>${say(text.contract_kept)}</span></p>
</form>`
}
