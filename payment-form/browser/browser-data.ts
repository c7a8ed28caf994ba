import type { DddAuthenticateRequest } from '../../contract/three-ds.ts'
import type { Page } from './page.ts'

type BrowserData = DddAuthenticateRequest['browser']
type WindowSize = BrowserData['challenge_window_size']

const USER_AGENT_MAX = 2_048
/** Width of the window below which the bank's page covers all of it. */
const NARROW = 480
/** Sizes in CSS pixels, the largest area first. */
const SIZES: [size: WindowSize, width: number, height: number][] = [
  ['03', 500, 600],
  ['04', 600, 400],
  ['02', 390, 400],
  ['01', 250, 400],
]

/** Width of the order beside the challenge, if the page has two columns. */
const ORDER_BESIDE = 320

/** Returns the data about this browser for the bank. The server adds the IP address and the `Accept` header. */
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

/**
 * Returns the largest size that fits. A frame in a shop's page is as high as its content, so there only the width
 * counts.
 */
function windowSize(page: Page): WindowSize {
  if (window.innerWidth < NARROW) return '05'
  const room = roomForChallenge(page)
  const isFramed = window.parent !== window
  const fits = SIZES.find(([, width, height]) => width <= room && (isFramed || height <= window.innerHeight))
  return fits?.[0] ?? '05'
}

/** Returns the width that the bank's frame can have in place of the form. */
function roomForChallenge({ columns, form }: Page): number {
  const section = form.parentElement ?? form
  const isBeside = section.offsetLeft > columns.offsetLeft
  return columns.clientWidth - (isBeside ? ORDER_BESIDE : 0) - (section.offsetWidth - form.clientWidth)
}
