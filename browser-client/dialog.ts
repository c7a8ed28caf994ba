import type { Surface } from './frame.ts'
import { options } from './options.ts'

// The modal is a native dialog, which makes the page behind it inert and traps the focus. It is in a shadow root, which
// the page's styles do not reach.

// Browsers limit a dialog's width and height to those of the window.
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
 * @param opener element that gets the focus back
 * @param requestClose called for ×, Escape and the backdrop; the caller decides whether the dialog closes
 */
export function showDialog(
  frame: HTMLIFrameElement,
  [title, closeText]: readonly [string, string],
  opener: HTMLElement | null,
  requestClose: () => void,
): Surface {
  const host = document.createElement('div')
  const dialog = document.createElement('dialog')
  const button = document.createElement('button')
  // The same scheme as the form's: the page's choice, otherwise the device's. The text "undefined" would mean a light
  // scheme.
  dialog.style.colorScheme = options.colorScheme ?? ''
  dialog.ariaLabel = title
  button.ariaLabel = closeText
  button.append('×')
  button.onclick = requestClose
  dialog.append(button, frame)
  addWithStyles(host, dialog)
  let unlock: (() => void) | undefined = lockScroll()
  dialog.onclick = ({ target }) => target === dialog && requestClose()
  dialog.oncancel = (event) => {
    event.preventDefault()
    requestClose()
  }
  // A browser closes a dialog at the second Escape, whatever the page says; a running payment must stay visible.
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

/**
 * Stops the page behind a dialog from scrolling. The lock is a separate style sheet, so that it overwrites nothing of
 * the page and can be removed on its own.
 *
 * @returns a function that removes the lock
 */
function lockScroll(): () => void {
  const { scrollX: left, scrollY: top } = window
  // Only iOS supports the property; there a page scrolls despite `overflow`.
  const isTouchOnly = CSS.supports('-webkit-touch-callout', 'none')
  const hasScrollbar = innerWidth > document.documentElement.clientWidth
  const lock = new CSSStyleSheet()
  lock.replaceSync(
    `html{overflow:hidden!important${hasScrollbar ? ';scrollbar-gutter:stable' : ''}}` +
      (isTouchOnly ? `body{position:fixed!important;top:${-top}px;width:100%}` : ''),
  )
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, lock]
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== lock)
    scrollTo(left, top)
  }
}

/** Texts that the library itself shows to the payer, or a screen reader announces; the form has its own. */
const TEXTS: Record<string, readonly [title: string, close: string]> = {
  en: ['Secure payment', 'Close'],
  fr: ['Paiement sécurisé', 'Fermer'],
  es: ['Pago seguro', 'Cerrar'],
}

/**
 * Returns the texts in a language.
 *
 * @param locale a language tag; the page's own language if it is missing
 */
export function textsFor(locale: string | undefined): readonly [title: string, close: string] {
  const language = (locale || document.documentElement.lang || navigator.language).slice(0, 2)
  return TEXTS[language] ?? (TEXTS.en as readonly [string, string])
}
