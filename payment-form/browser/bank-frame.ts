import type { DddMessage } from '../../contract/three-ds.ts'
import { type Page, sentence } from './page.ts'
import type { Signals } from './signals.ts'

/**
 * Opens a frame with a document of this page's own origin, which leads to the bank (TDS-5). Its message that the bank
 * is done is only a hint, accepted from that document alone: the bank's own frame is a different window with a
 * different origin.
 *
 * @returns a function that removes it: its messages are ignored from then on, and after `laterMs` the frame is removed
 */
export function openBankFrame(
  page: Page,
  place: Element,
  url: string,
  { id, signals }: BankCall,
): (laterMs?: number) => void {
  const frame = document.createElement('iframe')
  frame.className = 'bank-frame'
  frame.title = sentence(page, 'bank_frame')
  frame.src = inLanguageOf(page, url)
  const listen = ({ origin, source, data }: MessageEvent) => {
    const { type, id: about } = Object(data) as Partial<DddMessage>
    const isFromFrame = origin === location.origin && source === frame.contentWindow
    if (isFromFrame && type === 'rc:ddd' && about === id) signals.note('posted')
  }
  window.addEventListener('message', listen)
  place.append(frame)
  return (laterMs = 0) => {
    window.removeEventListener('message', listen)
    if (laterMs === 0) frame.remove()
    else setTimeout(() => frame.remove(), laterMs)
  }
}

export interface BankCall {
  /** The `ddd_session_id`. */
  id: string
  signals: Signals
}

/** Adds the page's language to the URL: the document shows a few words of its own. */
function inLanguageOf({ data }: Page, url: string): string {
  const address = new URL(url, location.href)
  address.searchParams.set('locale', data.locale)
  return address.href
}
