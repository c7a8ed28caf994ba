import { setNonce } from 'get-nonce'

/** Nonce of the document's Content-Security-Policy, which style elements need. */
export const NONCE = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

// react-remove-scroll, which dialogs and menus use, adds its own style element.
setNonce(NONCE)
