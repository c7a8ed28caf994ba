// The sprite: drawn for this page, simple enough to be sharp at 20 pixels. No request, no third-party file.

const BRAND_FRAME = '<rect x=".5" y=".5" width="37" height="23" rx="4.5" fill="#fff" stroke="#c9ced6"/>'

const wordmark = (text: string, color: string, size: number, style = '') =>
  `<text x="19" y="${12 + size * 0.36}" text-anchor="middle" font-family="Arial,Helvetica,sans-serif" font-weight="700" font-size="${size}" fill="${color}" ${style}>${text}</text>`

const BRANDS: Record<string, string> = {
  visa: BRAND_FRAME + wordmark('VISA', '#1a1f71', 11.5, 'font-style="italic" letter-spacing="-.2"'),
  mastercard: `${BRAND_FRAME}<circle cx="14.8" cy="12" r="7" fill="#eb001b"/><circle cx="23.2" cy="12" r="7" fill="#f79e1b"/><path d="M19 6.4a7 7 0 0 1 0 11.2 7 7 0 0 1 0-11.2z" fill="#ff5f00"/>`,
  amex: `<rect width="38" height="24" rx="4.5" fill="#1f6fd0"/>${wordmark('AMEX', '#fff', 10)}`,
  discover: `${BRAND_FRAME}<path d="M15 23.5c9-1.5 17-5 22.5-10V19a4.5 4.5 0 0 1-4.5 4.5z" fill="#f47216"/>${wordmark('DISCOVER', '#20242b', 6.2)}`,
  diners: `${BRAND_FRAME}<circle cx="19" cy="12" r="8" fill="#0069aa"/><path d="M17.5 6.6a5.7 5.7 0 0 0 0 10.8zM20.5 6.6a5.7 5.7 0 0 1 0 10.8z" fill="#fff"/>`,
  jcb: `${BRAND_FRAME}<rect x="8" y="4" width="6.6" height="16" rx="2.5" fill="#0b62ac"/><rect x="15.7" y="4" width="6.6" height="16" rx="2.5" fill="#d7133c"/><rect x="23.4" y="4" width="6.6" height="16" rx="2.5" fill="#1f8f3a"/>`,
  unionpay: `${BRAND_FRAME}<path d="M10 4h7l-3.5 16h-7z" fill="#e21836"/><path d="M18 4h7l-3.5 16h-7z" fill="#00447c"/><path d="M26 4h6l-3.5 16h-6z" fill="#007b84"/>`,
  unknown: `<rect x=".5" y=".5" width="37" height="23" rx="4.5" fill="none" stroke="currentColor"/><path d="M1 7.5h36" stroke="currentColor" stroke-width="3"/><path d="M6 16.5h9" stroke="currentColor" stroke-width="1.5"/>`,
}

const line = (path: string) =>
  `<path d="${path}" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>`

const SIGNS: Record<string, string> = {
  lock: `${line('M8 11V8a4 4 0 0 1 8 0v3')}<rect x="5" y="11" width="14" height="9" rx="2.5" fill="currentColor"/>`,
  check: line('M5 12.5l4.5 4.5L19 7.5'),
  clock: `<circle cx="12" cy="12" r="8.5" fill="none" stroke="currentColor" stroke-width="2"/>${line('M12 7.5V12l3 2')}`,
  cross: line('M7 7l10 10M17 7L7 17'),
  alert: `${line('M12 8v5')}<circle cx="12" cy="16.5" r="1.3" fill="currentColor"/><circle cx="12" cy="12" r="9" fill="none" stroke="currentColor" stroke-width="2"/>`,
  search: `<circle cx="11" cy="11" r="6" fill="none" stroke="currentColor" stroke-width="2"/>${line('M15.5 15.5L20 20')}`,
  back: line('M14.5 6L8.5 12l6 6'),
  down: line('M6 9.5l6 6 6-6'),
}

const symbol = (id: string, viewBox: string, drawing: string) =>
  `<symbol id="${id}" viewBox="${viewBox}">${drawing}</symbol>`

/** Renders every requested brand, and all signs. */
export function sprite(brandIds: readonly string[]): string {
  const brands = Object.entries(BRANDS).filter(([id]) => id === 'unknown' || brandIds.includes(id))
  const symbols = [
    ...brands.map(([id, drawing]) => symbol(`brand-${id}`, '0 0 38 24', drawing)),
    ...Object.entries(SIGNS).map(([id, drawing]) => symbol(`sign-${id}`, '0 0 24 24', drawing)),
  ]
  return `<svg class="sprite" aria-hidden="true" width="0" height="0">${symbols.join('')}</svg>`
}
