import {
  type CheckoutResult,
  type FrameMessage,
  type FramePhase,
  MESSAGE_VERSION,
  type ParentMessage,
  readParentMessage,
} from '../../contract/browser-messages.ts'

// The form's side of the browser messages (BRW-12 to BRW-22), if it is in a frame of the merchant's page.

export interface ParentPage {
  /** The merchant's registered origin, as the server rendered it; never from the URL or the referrer. */
  origin: string
  sessionId: string
  /** Element that is as high as the form, not as high as the window. */
  content: Element
  /** Called when the payer closes the modal. An idle form responds with {@link ParentLink.result} `canceled`. */
  onClose(): void
  onScheme(scheme: 'light' | 'dark'): void
}

export interface ParentLink {
  state(phase: FramePhase): void
  /** Sends the result, at most once; later ones are ignored. */
  result(result: CheckoutResult): void
}

/** Reports that the form is ready, and from now on its height. Returns `null` if nobody frames this page. */
export function connectParent(page: ParentPage): ParentLink | null {
  if (window.parent === window) return null
  let hasResult = false
  window.addEventListener('message', (event) => obey(page, event))
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) tell(page, { type: 'rc:checkout_close_request' })
  })
  tell(page, { type: 'rc:checkout_ready', session_id: page.sessionId })
  reportHeight(page)
  return {
    state: (phase) => tell(page, { type: 'rc:checkout_state', phase }),
    result(result) {
      if (hasResult) return
      hasResult = true
      tell(page, { type: 'rc:checkout_result', ...result })
    },
  }
}

type Unversioned<Message> = Message extends unknown ? Omit<Message, 'v'> : never

/** Sends a message to the registered origin only: another page that frames the form receives nothing. */
function tell({ origin }: ParentPage, message: Unversioned<FrameMessage>): void {
  window.parent.postMessage({ ...message, v: MESSAGE_VERSION }, origin)
}

function obey(page: ParentPage, { origin, source, data }: MessageEvent): void {
  if (origin !== page.origin || source !== window.parent) return
  const message: ParentMessage | null = readParentMessage(data)
  if (message?.type === 'rc:parent_close') page.onClose()
  if (message?.type === 'rc:parent_theme_scheme') page.onScheme(message.scheme)
}

/** Reports the height at most once per animation frame, in whole pixels, and only if it has changed. */
function reportHeight(page: ParentPage): void {
  let sent = 0
  let isWaiting = false
  const send = () => {
    isWaiting = false
    const height = Math.ceil(page.content.getBoundingClientRect().height)
    if (Math.abs(height - sent) <= 1) return
    sent = height
    tell(page, { type: 'rc:checkout_height', height })
  }
  new ResizeObserver(() => {
    if (isWaiting) return
    isWaiting = true
    requestAnimationFrame(send)
  }).observe(page.content)
}
