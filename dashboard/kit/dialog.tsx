import { Button } from '@mantine/core'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { fill } from '../../contract/text.ts'
import { announce } from './announce.tsx'
import { useAttempt } from './attempt.tsx'
import { CallError } from './call-error.ts'
import { useCountdown } from './countdown.ts'
import { focusFirst } from './first-focus.ts'
import { KIT_TEXTS } from './kit-texts.ts'
import { Modal } from './modal.tsx'
import { useOnline } from './online.ts'
import { Refusal, secondsOf } from './refusal.tsx'
import { useReturnFocus } from './return-focus.ts'
import { useTexts } from './texts.ts'
import { hideToast, showToast } from './toast-place.tsx'

/** Time after which a dialog says that the outcome is being resolved, and may be closed (DSH-30). */
const SLOW_MS = 15_000

interface ConfirmDialogProps {
  opened: boolean
  onClose(): void
  title: string
  /** Id of the object, if dialogs with the same title may concern several objects on a page. */
  about?: string | undefined
  /** Text of the button, with the amount if money moves: `Refund $40.00`. */
  verb: string
  /** `danger` if it destroys or ends something. The button that closes the dialog is never the red one. */
  tone?: 'normal' | 'danger'
  children: ReactNode
  /** @param key for `Idempotency-Key`: the same for every attempt until the dialog is closed */
  onConfirm(key: string): Promise<unknown>
  /** Whether its call takes the key: confirmed twice, it has an effect only once (DSH-4). */
  isOnce?: boolean
  disabled?: boolean
  /** Returns a special text for a refusal; `null` for the usual text. */
  refusalOf?: (error: CallError) => ReactNode
  size?: 'sm' | 'md' | 'lg' | 'xl'
}

/**
 * Confirms one change. While the call is in flight, the dialog cannot be closed and the call cannot be sent twice. If
 * the call takes long, the dialog can be closed, and a dialog that is opened again waits for the call.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, verb, tone = 'normal', children, disabled = false, size = 'md' } = props
  const t = useTexts(KIT_TEXTS)
  const { state, error, confirm, close } = useConfirmation(props)
  useReturnFocus(opened)
  const waiting = useCountdown(secondsOf(error), error)
  const isOnline = useOnline()
  const mayClose = state !== 'sending'
  return (
    <Modal
      opened={opened}
      onClose={() => mayClose && close()}
      title={title}
      size={size}
      closeOnEscape={mayClose}
      closeOnClickOutside={false}
      withCloseButton={mayClose}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      <form
        ref={focusFirst}
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (!disabled && waiting <= 0 && isOnline) void confirm()
        }}
      >
        {children}
        <Failure error={error} {...props} />
        {state === 'slow' && <p role="status">{t.slow}</p>}
        <div className="dialog-actions">
          <Button variant="default" onClick={close} disabled={!mayClose}>
            {state === 'slow' ? t.close : verb.startsWith(t.cancel) ? t.goBack : t.cancel}
          </Button>
          <Button
            type="submit"
            {...(tone === 'danger' && { color: 'red.9' })}
            disabled={disabled || state !== 'ready' || waiting > 0 || !isOnline}
            loading={state !== 'ready'}
          >
            {waiting > 0 ? fill(t.retryIn, { seconds: waiting }) : verb}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

interface FailureProps extends Pick<ConfirmDialogProps, 'refusalOf' | 'isOnce'> {
  error: unknown
}

/** Error of the call. A call without an outcome is not called a failure (DSH-30). */
function Failure({ error, refusalOf, isOnce = false }: FailureProps) {
  const t = useTexts(KIT_TEXTS)
  if (!(error instanceof CallError)) return <Refusal error={error} />
  if (!error.isUnresolved) return refusalOf?.(error) ?? <Refusal error={error} />
  return (
    <>
      <Refusal error={error} title={t.unresolved} />
      {isOnce && !isFinal(error) && <p>{t.confirmAgain}</p>}
    </>
  )
}

type Confirmation = 'ready' | 'sending' | 'slow'

/** Calls in progress, including those of closed dialogs, by page, title and object. */
const underWay = new Map<string, Promise<unknown>>()
/** Number of the newest dialog, by the same keys. */
const newest = new Map<string, number>()
let openings = 0

function useConfirmation({ opened, onClose, onConfirm, title, about: object = '' }: ConfirmDialogProps) {
  const [state, setState] = useState<Confirmation>('ready')
  const [error, setError] = useState<unknown>(null)
  const key = useRef('')
  const opening = useRef({ number: 0, about: '' })
  const closed = useRef(0)
  const latest = useRef('')
  latest.current = `${title} ${object}`
  useEffect(() => {
    if (!opened) return
    const [number, about] = [++openings, `${location.pathname} ${latest.current}`]
    opening.current = { number, about }
    newest.set(about, number)
    key.current = crypto.randomUUID()
    setError(null)
    const earlier = underWay.get(about)
    setState(earlier ? 'slow' : 'ready')
    void earlier?.then(() => newest.get(about) === number && setState('ready'))
  }, [opened])
  async function confirm(): Promise<void> {
    const { number, about } = opening.current
    // The result of a closed dialog is not shown in a later one.
    const isShown = () => newest.get(about) === number && closed.current !== number
    // React state changes too late to prevent a second click.
    if (underWay.has(about)) return
    setState('sending')
    setError(null)
    const slow = setTimeout(() => isShown() && setState('slow'), SLOW_MS)
    const call = onConfirm(key.current)
    const ended = call.catch(() => {}).then(() => underWay.delete(about))
    underWay.set(about, ended)
    try {
      await call
      if (isShown()) onClose()
    } catch (failed) {
      if (!isShown()) return
      setError(failed)
      if (failed instanceof CallError && isFinal(failed)) key.current = crypto.randomUUID()
    } finally {
      clearTimeout(slow)
      await ended
      if (isShown()) setState('ready')
    }
  }
  const close = () => {
    closed.current = opening.current.number
    onClose()
  }
  return { state, error, confirm, close }
}

/** Statuses after which the key is not used up, or the call with the key may be in progress. */
const KEEPS_KEY: ReadonlySet<number> = new Set([0, 403, 404, 409, 422, 429])

/**
 * Whether the same key would only repeat the refusal. A new key is needed, for example to charge a declined card again.
 */
const isFinal = ({ status }: CallError) => status < 500 && !KEEPS_KEY.has(status)

const UNDO_MS = 8_000

/**
 * Returns a function for changes without a dialog (DSH-26): it announces the change, and offers an undo for eight
 * seconds. If the undo is refused, it says so.
 */
export function useUndo(): (text: string, undo: () => Promise<unknown>) => void {
  const t = useTexts(KIT_TEXTS)
  const attempt = useAttempt()
  return useCallback(
    (text, undo) => {
      const id = crypto.randomUUID()
      const takeBack = () => {
        hideToast(id)
        attempt(undo)
      }
      announce(text)
      showToast({
        id,
        autoClose: UNDO_MS,
        message: (
          <span className="toast">
            {text}
            <Button variant="default" size="sm" onClick={takeBack}>
              {t.undo}
            </Button>
          </span>
        ),
        closeButtonProps: { 'aria-label': t.close },
      })
    },
    [t, attempt],
  )
}

/** Returns a function that shows a result in a corner of the page, and announces it to screen readers. */
export function useToast(): (text: string) => void {
  const t = useTexts(KIT_TEXTS)
  return useCallback(
    (text) => {
      announce(text)
      showToast({ message: text, closeButtonProps: { 'aria-label': t.close } })
    },
    [t],
  )
}
