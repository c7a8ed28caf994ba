/** Of every delivery, besides those of its signature. */
export const WEBHOOK_HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Rialto-Webhooks',
  // The response is kept as it comes.
  'accept-encoding': 'identity',
}
