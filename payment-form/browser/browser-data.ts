import type { DddAuthenticateRequest } from '../../contract/three-ds.ts'
import type { Page } from './page.ts'

type BrowserData = DddAuthenticateRequest['browser']
type WindowSize = BrowserData['challenge_window_size']

const USER_AGENT_MAX = 2_048
/** Below this width of the window the bank's page has all of it. */
const NARROW = 480
/** CSS pixels, the largest area first. */
const SIZES: [size: WindowSize, width: number, height: number][] = [
  ['03', 500, 600],
  ['04', 600, 400],
  ['02', 390, 400],
  ['01', 250, 400],
]

/** What the order takes beside the challenge, where the page has two columns. */
const ORDER_BESIDE = 320

/** What the bank receives about this browser. The server adds the address and the `Accept` header. */
export function browserData(page: Page): BrowserData {
  return {
    javascript_enabled: true,
    java_enabled: false,
    language: page.data.locale,
    color_depth: String(screen.colorDepth),
    screen_height: String(screen.height),
    screen_width: String(screen.width),
    tz: String(new Date().getTimezoneOffset()),
    user_agent: navigator.userAgent.slice(0, USER_AGENT_MAX),
    challenge_window_size: windowSize(page),
  }
}

/** The largest that fits. A frame in a shop's page is as high as its content, so there only the width counts. */
function windowSize(page: Page): WindowSize {
  if (window.innerWidth < NARROW) return '05'
  const room = roomForChallenge(page)
  const isFramed = window.parent !== window
  const fits = SIZES.find(([, width, height]) => width <= room && (isFramed || height <= window.innerHeight))
  return fits?.[0] ?? '05'
}

/** The width that the bank's frame can have in place of the form. */
function roomForChallenge({ columns, form }: Page): number {
  const section = form.parentElement ?? form
  const isBeside = section.offsetLeft > columns.offsetLeft
  return columns.clientWidth - (isBeside ? ORDER_BESIDE : 0) - (section.offsetWidth - form.clientWidth)
}
