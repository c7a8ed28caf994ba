import { readFileSync } from 'node:fs'
import { html } from 'ghtml'
import type { FormBusiness } from '../../contract/checkout-form.ts'
import type { PaymentPageView } from '../../contract/payment-page.ts'
import { themeCss } from '../view/brand-theme.ts'
import { attributes } from './markup.ts'
import type { PageContext } from './page-context.ts'

const LANGUAGE_NAMES = { en: 'English', 'fr-CA': 'Français', es: 'Español' }

const STYLESHEET = readFileSync(new URL('../page.css', import.meta.url), 'utf8')
  .replace(/\/\*.*?\*\//gs, '')
  .replace(/\s+/g, ' ')

type Scheme = NonNullable<FormBusiness['color_scheme']>

/** The stylesheet is written for `auto`; a business that sets one scheme overrides the device's preference. */
const SCHEMES: Record<Scheme, { colors: string; isDark: string }> = {
  auto: { colors: 'light dark', isDark: '(prefers-color-scheme: dark)' },
  light: { colors: 'light', isDark: 'not all' },
  dark: { colors: 'dark', isDark: 'all' },
}

function inScheme(css: string, scheme: Scheme): string {
  const { colors, isDark } = SCHEMES[scheme]
  return css.replace(/\(prefers-color-scheme: ?dark\)/g, isDark).replace(SCHEMES.auto.colors, colors)
}

export interface DocumentParts {
  title: string
  /** `<main>` and everything after it. */
  main: string
  sprite: string
  afterMain?: string
  /** Where and after how many seconds a payer without JavaScript is redirected. */
  refresh?: { seconds: number; url: string } | null
}

/** Renders the document around every state: head, header, footer. */
export function page(view: PaymentPageView, context: PageContext, parts: DocumentParts): string {
  const isHosted = view.surface === 'hosted'
  const body = attributes({ 'data-surface': view.surface, 'data-state': view.state })
  return html`<!doctype html>
<html !${attributes({ lang: view.locale, dir: 'ltr' })}>
<head>!${head(view, context, parts)}</head>
<body !${body}>!${parts.sprite}
<div class="page">!${isHosted ? header(view, context) : ''}
<main id="main">!${parts.main}</main>
!${view.surface === 'rapid' ? '' : footer(view, context)}
</div>
<div id="log" class="visually-hidden" role="log"></div>
!${parts.afterMain ?? ''}
</body>
</html>`
}

function head(view: PaymentPageView, context: PageContext, { title, refresh }: DocumentParts): string {
  const scheme = context.business?.color_scheme ?? 'auto'
  const theme = themeCss(context.business ?? {})
  const content = refresh && `${refresh.seconds}${refresh.url && `;url=${refresh.url}`}`
  const { script } = view
  const scriptTag =
    script && attributes({ src: script.url, integrity: script.integrity, crossorigin: 'anonymous', defer: true })
  // Without JavaScript the form posts to its own URL, and the service checks the Origin of that post. With the header's
  // `no-referrer`, a browser sends `null` there; with this policy it sends the origin, and nothing to other sites.
  return html`<meta charset="utf-8"><meta name="referrer" content="same-origin"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="color-scheme" content="${SCHEMES[scheme].colors}"><meta name="format-detection" content="telephone=no">
<title>${context.business ? `${title} · ${context.business.name}` : title}</title>
<link rel="icon" href="data:,">
!${content ? html`<noscript><meta !${attributes({ 'http-equiv': 'refresh', content })}></noscript>` : ''}
<style nonce="${view.nonce}">!${inScheme(STYLESHEET + theme, scheme)}</style>
!${scriptTag ? html`<script !${scriptTag}></script>` : ''}`
}

function header(view: PaymentPageView, context: PageContext): string {
  const { business } = context
  const logo = attributes({ src: business?.logo_url, alt: business?.name, height: 40, referrerpolicy: 'no-referrer' })
  const name = business?.logo_url ? html`<img class="logo" !${logo}>` : html`<span>${business?.name ?? ''}</span>`
  return html`<header class="top"><div class="business">!${name}</div>!${languages(view, context)}</header>`
}

function languages(view: PaymentPageView, { text }: PageContext): string {
  const links = view.languageLinks.map(({ locale, href }) => {
    const link = attributes({ href, lang: locale, hreflang: locale, 'aria-current': locale === view.locale && 'true' })
    return html`<li><a !${link}>${LANGUAGE_NAMES[locale]}</a></li>`
  })
  if (links.length === 0) return ''
  return html`<nav class="languages" aria-label="${text.language}"><ul>!${links.join('')}</ul></nav>`
}

/** Renders the footer. Help is at the same place in every state (WCAG 3.2.6). */
function footer(view: PaymentPageView, { text, business, say }: PageContext): string {
  if (!business) return ''
  const links = [
    business.support_email && anchor(`mailto:${business.support_email}`, business.support_email),
    business.support_phone && anchor(`tel:${business.support_phone.replace(/[^\d+]/g, '')}`, business.support_phone),
    business.terms_url && anchor(business.terms_url, text.terms_of_service, true),
    business.privacy_url && anchor(business.privacy_url, text.privacy, true),
  ].filter(Boolean)
  if (links.length === 0 || view.surface === 'rapid') return ''
  const hasHelp = business.support_email || business.support_phone
  const items = links.map((link) => html`<li>!${link}</li>`).join('')
  return html`<footer class="bottom" aria-label="${text.footer}">!${hasHelp ? html`<p>${say(text.help)}</p>` : ''}<ul>!${items}</ul></footer>`
}

function anchor(href: string, label: string, isNewTab = false): string {
  return html`<a !${attributes({ href, target: isNewTab && '_blank', rel: isNewTab && 'noopener' })}>${label}</a>`
}
