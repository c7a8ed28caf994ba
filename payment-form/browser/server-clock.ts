import type { PageData } from '../view/page-data.ts'

/**
 * Returns the server's time. A device's own clock may be years off, or be corrected while the page is open.
 *
 * @returns milliseconds since 1970
 */
export const serverNow = ({ serverTime }: Pick<PageData, 'serverTime'>): number =>
  Date.parse(serverTime) + performance.now()
