const FIELDS = 'input:not([type="hidden"]), textarea, select'

/**
 * For `ref` of what a dialog contains: the focus goes to the field that asks for it, otherwise to the first field, and
 * without fields to the heading. The dialog would take its button that closes.
 */
export function focusFirst(content: HTMLElement | null): void {
  if (!content || content.querySelector('[data-autofocus]')) return
  const fields = [...content.querySelectorAll<HTMLInputElement>(FIELDS)]
  const field = fields.find(
    ({ disabled, checked, type, name }) => !disabled && (checked || !isOther(fields, type, name)),
  )
  const target = field ?? content.closest('[role="dialog"]')?.querySelector('h2')
  if (!target) return
  if (!field) target.setAttribute('tabindex', '-1')
  target.setAttribute('data-autofocus', '')
}

/** Of several radios, the one that is chosen is the field. */
const isOther = (fields: HTMLInputElement[], type: string, name: string) =>
  type === 'radio' && fields.some((one) => one.type === 'radio' && one.name === name && one.checked)
