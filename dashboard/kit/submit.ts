import { type FormEvent, useRef, useState } from 'react'

export interface Submission {
  /** Handler for `onSubmit` of a form, and `onClick` of a button. */
  submit(event?: FormEvent | { preventDefault(): void }): void
  isSending: boolean
  error: unknown
  setError(error: unknown): void
}

/** Runs one call at a time, and keeps its refusal. */
export function useSubmit(work: () => Promise<unknown>): Submission {
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const busy = useRef(false)
  async function run() {
    if (busy.current) return
    busy.current = true
    setSending(true)
    setError(null)
    try {
      await work()
    } catch (refusal) {
      setError(refusal)
    } finally {
      busy.current = false
      setSending(false)
    }
  }
  const submit: Submission['submit'] = (event) => {
    event?.preventDefault()
    void run()
  }
  return { submit, isSending, error, setError }
}
