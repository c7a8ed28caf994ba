import { setNonce } from 'get-nonce'

/** That of the document's policy, which style elements need. */
export const NONCE = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

// react-remove-scroll, behind dialogs and menus, adds a style element of its own.
setNonce(NONCE)
