import type { PageData } from '../view/page-data.ts'

/**
 * The server's time. A device's own clock may be years wrong, or be set right while the page is open.
 *
 * @returns milliseconds since 1970
 */
export const serverNow = ({ serverTime }: Pick<PageData, 'serverTime'>): number =>
  Date.parse(serverTime) + performance.now()
