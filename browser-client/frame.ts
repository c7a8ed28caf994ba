const HEIGHT_MIN = 200
const HEIGHT_MAX = 4_000
const CHANGES_PER_SECOND_MAX = 20

export interface Frame {
  element: HTMLIFrameElement
  /** Sets the height that the form measured; ignored while a height is pinned, and if heights seem to loop. */
  follow(height: number): void
  pin(height: number | 'auto'): void
}

/** Creates the frame. Styles are set through the CSSOM, which a strict Content-Security-Policy allows. */
export function createFrame({ href, origin, protocol, host }: URL, title: string): Frame {
  const element = document.createElement('iframe')
  element.title = title
  // Inside the form, Google Pay has its own frame on its own origin.
  element.allow = `payment ${origin} ${protocol}//gpay.${host}; publickey-credentials-get ${origin}`
  element.referrerPolicy = 'origin'
  element.style.cssText = 'border:0;display:block;width:100%;height:480px'
  element.src = href
  return { element, ...heightOf(element) }
}

function heightOf({ style }: HTMLIFrameElement): Omit<Frame, 'element'> {
  let measured = 0
  let isPinned = false
  let since = 0
  let changes = 0
  const set = (height: number) => {
    style.height = `${Math.min(HEIGHT_MAX, Math.max(HEIGHT_MIN, height))}px`
  }
  return {
    follow(height) {
      const now = Date.now()
      if (now - since > 1_000) {
        since = now
        changes = 0
      }
      if (height === measured || changes++ >= CHANGES_PER_SECOND_MAX) return
      measured = height
      if (!isPinned) set(height)
    },
    pin(height) {
      isPinned = height !== 'auto'
      set(height === 'auto' ? measured : height)
    },
  }
}

/**
 * Where the frame is shown. `hide` leaves it alive, so that the form can still send its result; removing `root` ends
 * it.
 */
export interface Surface {
  root: HTMLElement
  hide(): void
}

export function showInContainer(frame: HTMLIFrameElement, container: Element): Surface {
  container.append(frame)
  return {
    root: frame,
    hide() {
      frame.style.display = 'none'
    },
  }
}
