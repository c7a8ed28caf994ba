import { Alert, Button } from '@mantine/core'
import { useCallback, useEffect } from 'react'
import { fill } from '../../contract/text.ts'
import { announce } from './announce.tsx'
import { CallError } from './call-error.ts'
import { useCountdown } from './countdown.ts'
import { CopyId } from './detail.tsx'
import { KIT_TEXTS } from './kit-texts.ts'
import { REFUSAL_TEXTS } from './refusal-texts/refusal-texts.ts'
import { useTexts } from './texts.ts'

interface RefusalProps {
  error: unknown
  /** Called when the person tries again. */
  onRetry?: (() => void) | undefined
  title?: string
  /** Replaces the usual text if a page can explain the refusal better. */
  text?: string | undefined
}

/** Shows a refusal in words, with its request id. Renders nothing without an error. */
export function Refusal({ error, onRetry, title, text: known }: RefusalProps) {
  const t = useTexts(KIT_TEXTS)
  const usual = useRefusalText()(error)
  const text = known ?? usual
  const detail = useDetail()(error)
  useEffect(() => {
    if (text !== '') announce(text, { assertive: true })
  }, [text])
  if (!error) return null
  if (onRetry && error instanceof CallError && error.status === 404) return <Missing />
  const { requestId = null } = error instanceof CallError ? error : {}
  return (
    <Alert color="red" variant="outline" title={title ?? t.refused} role="group">
      <p>{text}</p>
      {detail && (
        <p className="dimmed" lang={detail.isEnglish ? 'en' : undefined}>
          {detail.text}
        </p>
      )}
      {requestId && (
        <p className="dimmed">
          {t.requestId} <CopyId id={requestId} label={t.requestId} />
        </p>
      )}
      {onRetry && <RetryButton error={error} onRetry={onRetry} />}
    </Alert>
  )
}

/** Shown instead of an object that does not exist here: a retry would not help. */
function Missing() {
  const t = useTexts(KIT_TEXTS)
  return (
    <div className="empty">
      <p className="empty-title">{t.missing}</p>
      <p>{t.missingText}</p>
    </div>
  )
}

/** Returns a function for the text of a refusal in one line. */
export function useRefusalText(): (error: unknown) => string {
  const t = useTexts(KIT_TEXTS)
  const byCode = useTexts(REFUSAL_TEXTS)
  return useCallback(
    (error) => {
      if (!error) return ''
      if (!(error instanceof CallError)) return t.refused
      if (error.status === 0) return t.noResponse
      return byCode[error.code] ?? error.message
    },
    [t, byCode],
  )
}

/**
 * Returns the details that a translated text lacks: errors of fields, or the reason of a conflict, which the service
 * gives in English.
 */
function useDetail(): (error: unknown) => { text: string; isEnglish: boolean } | null {
  const byCode = useTexts(REFUSAL_TEXTS)
  return (error) => {
    if (!(error instanceof CallError) || !SAY_MORE.has(error.code) || !byCode[error.code]) return null
    const fields = Object.values(error.errors).join('; ')
    const isEnglish = fields === '' || error.message.includes(fields)
    return { text: isEnglish ? error.message : fields, isEnglish }
  }
}

const SAY_MORE: ReadonlySet<string> = new Set(['conflict', 'parameter_invalid', 'batch_failed'])

/** Retry button that counts down the time given by the service. */
function RetryButton({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const t = useTexts(KIT_TEXTS)
  const left = useCountdown(secondsOf(error), error)
  return (
    <Button variant="default" size="sm" mt="xs" disabled={left > 0} onClick={onRetry}>
      {left > 0 ? fill(t.retryIn, { seconds: left }) : t.retry}
    </Button>
  )
}

/** Seconds that a refusal asks to wait. */
export const secondsOf = (error: unknown): number => (error instanceof CallError ? (error.retryAfter ?? 0) : 0)
