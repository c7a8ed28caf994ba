import { Alert } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { announce } from './announce.tsx'
import { CallError } from './call-error.ts'
import { KIT_TEXTS } from './kit-texts.ts'
import { Refusal } from './refusal.tsx'
import { useTexts } from './texts.ts'

/** Errors of a form that was sent: a list of fields that takes the focus, or the refusal. */
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
