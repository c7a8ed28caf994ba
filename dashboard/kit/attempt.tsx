import { useCallback } from 'react'
import { announce } from './announce.tsx'
import { CallError } from './call-error.ts'
import { KIT_TEXTS } from './kit-texts.ts'
import { useRefusalText } from './refusal.tsx'
import { useTexts } from './texts.ts'
import { showToast } from './toast-place.tsx'

/** Returns a function that performs an action without a dialog. A refusal is shown in a toast until it is closed. */
export function useAttempt(): (work: () => Promise<unknown>) => void {
  const t = useTexts(KIT_TEXTS)
  const refusalText = useRefusalText()
  return useCallback(
    (work) => {
      work().catch((error: unknown) => {
        const text = refusalText(error)
        announce(text, { assertive: true })
        const title = error instanceof CallError && error.isUnresolved ? t.unresolved : t.refused
        const message = (
          <>
            <strong>{title}</strong>
            <div>{text}</div>
          </>
        )
        showToast({ message, color: 'red', autoClose: false, closeButtonProps: { 'aria-label': t.close } })
      })
    },
    [t, refusalText],
  )
}
