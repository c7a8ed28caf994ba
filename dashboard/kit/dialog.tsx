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

/** After this time a dialog says that the outcome is being resolved, and may be closed (DSH-30). */
const SLOW_MS = 15_000

interface ConfirmDialogProps {
  opened: boolean
  onClose(): void
  title: string
  /** The id of what it is about, where dialogs of one title may be about several things on a page. */
  about?: string | undefined
  /** On the button, with the amount where money moves: `Refund $40.00`. */
  verb: string
  /** `danger`: it destroys or ends something. The button that closes is never the red one. */
  tone?: 'normal' | 'danger'
  children: ReactNode
  /**
   * @param key of `Idempotency-Key`: the same for every try of this opening
   */
  onConfirm(key: string): Promise<unknown>
  /** Its call takes the key: confirmed again it is done once (DSH-4). */
  isOnce?: boolean
  disabled?: boolean
  /** The text of a refusal that the dialog must say in its own words; `null` for the usual one. */
  refusalOf?: (error: CallError) => ReactNode
  size?: 'sm' | 'md' | 'lg' | 'xl'
}

/**
 * Confirms one change. While the call is in flight it cannot be closed or sent twice; once it takes long it can be
 * closed, and a dialog that is opened again waits for it.
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

/** A call without an outcome is not called a failure (DSH-30). */
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

/** Calls of dialogs that may have been closed meanwhile, by page, title and object. */
const underWay = new Map<string, Promise<unknown>>()
/** The newest opening, by the same. */
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
    // What became of a dialog that was closed is not shown in a later one.
    const isShown = () => newest.get(about) === number && closed.current !== number
    // State changes later than a second click.
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

/** Refusals after which the key is still free, or the call with it may be under way. */
const KEEPS_KEY: ReadonlySet<number> = new Set([0, 403, 404, 409, 422, 429])

/** Whether the same key would only repeat the refusal: a declined card may be tried again. */
const isFinal = ({ status }: CallError) => status < 500 && !KEEPS_KEY.has(status)

const UNDO_MS = 8_000

/** For what is done at once (DSH-26): says so, and offers to undo it for eight seconds. What refuses that is said. */
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

/** Says a result in a corner of the page, and to screen readers. */
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
