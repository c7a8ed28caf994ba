const FIELDS = 'input:not([type="hidden"]), textarea, select'

/**
 * For the `ref` of a dialog's content: focuses the field with autofocus, otherwise the first field, and without fields
 * the heading. By default the dialog would focus its close button.
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

/** Whether another radio of the group is the chosen one, which gets the focus. */
const isOther = (fields: HTMLInputElement[], type: string, name: string) =>
  type === 'radio' && fields.some((one) => one.type === 'radio' && one.name === name && one.checked)
