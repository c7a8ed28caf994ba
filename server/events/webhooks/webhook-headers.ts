/** Headers of every delivery, besides those of its signature. */
export const WEBHOOK_HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Rialto-Webhooks',
  // Keeps receivers from compressing the response, which is stored as received.
  'accept-encoding': 'identity',
}
