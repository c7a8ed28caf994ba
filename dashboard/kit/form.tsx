import { Alert } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { announce } from './announce.tsx'
import { CallError } from './call-error.ts'
import { KIT_TEXTS } from './kit-texts.ts'
import { Refusal } from './refusal.tsx'
import { useTexts } from './texts.ts'

interface FormLike {
  setErrors(errors: Record<string, string>): void
  errors: Record<string, unknown>
}

/**
 * Puts the refusals of fields at the fields of a form of `@mantine/form`.
 *
 * @param names where a field of the call has another name in the form
 */
export function useFormErrors(form: FormLike, error: unknown, names: Record<string, string> = {}): void {
  const last = useRef<unknown>(null)
  useEffect(() => {
    if (error === last.current) return
    last.current = error
    if (!(error instanceof CallError)) return
    const errors = Object.entries(error.errors).map(([field, text]) => [names[field] ?? field, text])
    if (errors.length > 0) form.setErrors(Object.fromEntries(errors))
  })
}

/** What is wrong with a form that was sent: the fields in a list that takes the focus, or the refusal. */
export function FormProblems({ error, labels = {} }: { error: unknown; labels?: Record<string, string> }) {
  const t = useTexts(KIT_TEXTS)
  const box = useRef<HTMLDivElement>(null)
  const fields = error instanceof CallError ? Object.entries(error.errors) : []
  const hasFields = fields.length > 0
  useEffect(() => {
    if (!error || !hasFields) return
    box.current?.focus()
    announce(t.checkFields, { assertive: true })
  }, [error, hasFields, t])
  if (!hasFields) return <Refusal error={error} />
  return (
    <Alert ref={box} tabIndex={-1} color="red" variant="outline" title={t.checkFields} role="group">
      <ul>
        {fields.map(([field, text]) => (
          <li key={field}>
            <strong>{labels[field] ?? field}</strong>: {text}
          </li>
        ))}
      </ul>
    </Alert>
  )
}
