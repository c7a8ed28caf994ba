import type { WriteAscii } from './ascii.ts'
import type { AuthenticationRequest, BrowserData } from './three-ds-server.ts'

/** Bits per pixel that the protocol allows. Some screens have 30. */
const DEPTHS = [1, 4, 8, 15, 16, 24, 32, 48]
const LANGUAGE_MAX = 8
const LANGUAGE = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i
const HEADER_MAX = 2_048
/** Limits of `acceptLanguage`. */
const PREFERRED_MAX = 99
const PREFERRED_LANGUAGE_MAX = 100

/** Returns the AReq's fields about the payer's browser. */
export function browserFields({ browser, messageVersion }: AuthenticationRequest, ascii: WriteAscii) {
  return {
    browserAcceptHeader: ascii(browser.acceptHeader, HEADER_MAX) ?? '*/*',
    browserIP: browser.ip,
    browserLanguage: languageOf(ascii(browser.language, 100)),
    browserUserAgent: ascii(browser.userAgent, HEADER_MAX) ?? 'unknown',
    ...(messageVersion === '2.3.1' && { acceptLanguage: preferredLanguages(browser) }),
    ...(messageVersion === '2.1.0' ? fieldsOf210(browser) : fieldsSince220(browser)),
  }
}

/**
 * Returns the fields of 2.1.0, which requires everything that a script reads, and has no field for a browser without
 * scripts.
 */
function fieldsOf210(browser: BrowserData) {
  const { browserColorDepth, browserScreenHeight, browserScreenWidth, browserTZ } = screenOf(browser)
  return {
    browserJavaEnabled: browser.javaEnabled ?? false,
    browserColorDepth: browserColorDepth ?? '24',
    browserScreenHeight: browserScreenHeight ?? '0',
    browserScreenWidth: browserScreenWidth ?? '0',
    browserTZ: browserTZ ?? '0',
  }
}

/** Returns the fields since 2.2.0. With scripts enabled, all fields of the screen are required; without, none. */
function fieldsSince220(browser: BrowserData) {
  const screen = screenOf(browser)
  const browserJavascriptEnabled = browser.javaScriptEnabled && !Object.values(screen).includes(null)
  const java = browser.javaEnabled ?? (browserJavascriptEnabled ? false : null)
  return { browserJavascriptEnabled, browserJavaEnabled: java, ...screen }
}

function screenOf({ colorDepth, screenHeight, screenWidth, timeZoneOffset }: BrowserData) {
  return {
    browserColorDepth: allowedDepth(colorDepth),
    browserScreenHeight: screenHeight,
    browserScreenWidth: screenWidth,
    browserTZ: timeZoneOffset,
  }
}

/** Returns the next lower depth that the protocol allows. */
function allowedDepth(depth: string | null): string | null {
  const bits = Number(depth ?? 0)
  return DEPTHS.findLast((allowed) => allowed <= bits)?.toString() ?? null
}

/** Shortens a language to whole subtags: `zh-Hans-CN` becomes `zh-Hans`. Anything else becomes English. */
function languageOf(language: string | null): string {
  let text = language ?? ''
  while (text.length > LANGUAGE_MAX && text.includes('-')) text = text.slice(0, text.lastIndexOf('-'))
  return LANGUAGE.test(text) ? text : 'en'
}

/** Returns the header's tags in order, without their weights: `fr-CA,fr;q=0.9,*;q=0.1` gives `fr-CA` and `fr`. */
function preferredLanguages({ acceptLanguage, language }: BrowserData): string[] {
  const tags = (acceptLanguage ?? '').split(',').map((entry) => entry.split(';')[0]?.trim() ?? '')
  const known = tags.filter((tag) => tag.length <= PREFERRED_LANGUAGE_MAX && LANGUAGE.test(tag))
  return known.length > 0 ? known.slice(0, PREFERRED_MAX) : [languageOf(language)]
}
