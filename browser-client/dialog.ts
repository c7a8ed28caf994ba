import { options } from './library.ts'
import { lockScroll } from './scroll-lock.ts'
import type { Surface } from './surface.ts'

// The modal: a native dialog, which makes the page behind inert and keeps the focus by itself. It stands in a shadow root,
// where the styles of the page do not reach.

// A browser keeps a dialog's width and height below those of the window by itself.
const CSS_TEXT =
  ':host{all:initial!important}' +
  'dialog{width:440px;padding:0;border:0;border-radius:12px;overscroll-behavior:contain;color-scheme:light dark}' +
  'dialog::backdrop{background:#0009}' +
  'button{width:44px;height:44px;border:0;display:block;margin-left:auto;background:none;font-size:24px}' +
  '@media(max-width:480px){dialog{border-radius:0;box-sizing:border-box;width:100%;max-width:100%;' +
  'max-height:100%;height:100dvh;padding:env(safe-area-inset-top) 0 env(safe-area-inset-bottom)}' +
  'iframe{height:calc(100% - 44px)!important}}'

/**
 * Shows the frame in a modal dialog.
 *
 * @param opener gets the focus back
 * @param askToClose ×, Escape and the backdrop; whether it closes is for the caller to say
 */
export function showDialog(
  frame: HTMLIFrameElement,
  [title, closeText]: readonly [string, string],
  opener: HTMLElement | null,
  askToClose: () => void,
): Surface {
  const host = document.createElement('div')
  const dialog = document.createElement('dialog')
  const button = document.createElement('button')
  // As the form inside, and nothing else when the page wants none.
  dialog.style.colorScheme = options.colorScheme as string
  dialog.ariaLabel = title
  button.ariaLabel = closeText
  button.append('×')
  button.onclick = askToClose
  dialog.append(button, frame)
  addWithStyles(host, dialog)
  let unlock: (() => void) | undefined = lockScroll()
  dialog.onclick = ({ target }) => target === dialog && askToClose()
  dialog.oncancel = (event) => {
    event.preventDefault()
    askToClose()
  }
  // A browser closes a dialog at the second Escape, whatever the page says; a payment that runs must stay in sight.
  dialog.onclose = () => unlock && dialog.showModal()
  dialog.showModal()
  return {
    root: host,
    hide() {
      unlock?.()
      unlock = undefined
      dialog.close()
      opener?.focus({ preventScroll: true })
    },
  }
}

function addWithStyles(host: HTMLElement, dialog: HTMLElement): void {
  const sheet = new CSSStyleSheet()
  const root = host.attachShadow({ mode: 'open' })
  sheet.replaceSync(CSS_TEXT)
  root.adoptedStyleSheets = [sheet]
  root.append(dialog)
  document.body.append(host)
}
