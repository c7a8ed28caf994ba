import { html } from 'ghtml'
import type { FormPost } from '../../contract/form-post.ts'
import type { RuleName } from '../fields/rule-name.ts'
import { type Attributes, attributes } from './markup.ts'

export interface Field {
  name: keyof FormPost
  label: string
  rule?: RuleName
  autocomplete: string
  required: boolean
  /** A text, or several texts of which page.css shows one. */
  hint?: string | { text: string; class: string }[]
  /** Rendered in the HTML after a post without JavaScript was refused. */
  error?: string | undefined
  /** Text beside the label. */
  aside?: string
  /** Element at the end of the input, inside its box. */
  inside?: string
  attributes?: Attributes
}

/** Renders a labelled text field with its hint and a place for its error. */
export function textField(field: Field): string {
  const input = html`<input !${attributes({ type: 'text', ...commonAttributes(field), ...field.attributes })}>`
  return frame(field, html`<div class="control">!${input}!${field.inside ?? ''}</div>`)
}

/** Renders a labelled `<select>`; while nothing is chosen, its first option has an empty value. */
export function selectField(field: Field, options: string): string {
  return frame(
    field,
    html`<div class="control"><select !${attributes({ ...commonAttributes(field), ...field.attributes })}>!${options}</select></div>`,
  )
}

export function option(value: string, label: string, selected = false): string {
  return html`<option !${attributes({ value, selected })}>${label}</option>`
}

function frame(field: Field, control: string): string {
  return html`<div class="field" data-field="${field.name}">
<div class="label-row"><label for="${field.name}">${field.label}</label>!${field.aside ?? ''}</div>
!${control}
!${hint(field)}
<p class="field-error" id="${field.name}-error">${field.error ?? ''}</p>
</div>`
}

function hint({ name, hint: text }: Field): string {
  if (text === undefined) return ''
  if (typeof text === 'string') return html`<p class="hint" id="${name}-hint">${text}</p>`
  const texts = text.map((one) => html`<span class="${one.class}">${one.text}</span>`).join('')
  return html`<p class="hint" id="${name}-hint">!${texts}</p>`
}

function commonAttributes(field: Field): Attributes {
  const described = [field.hint === undefined ? '' : `${field.name}-hint `, `${field.name}-error`].join('')
  return {
    id: field.name,
    name: field.name,
    autocomplete: field.autocomplete,
    required: field.required,
    'data-rule': field.rule,
    'aria-describedby': described,
    'aria-invalid': field.error ? 'true' : null,
  }
}
