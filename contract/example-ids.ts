/**
 * The ids in the examples of the OpenAPI document: one for each kind of object. Tests replace them by real ids and send
 * every example to a running service.
 */
export const EXAMPLE_IDS = {
  business: '0199a3f0-1c00-7a10-8b01-2f6d41c7e001',
  client: '0199a3f0-1c64-7a10-8b02-3a7e52d8f002',
  apiKey: '0199a3f0-2058-7a10-8b03-4b8f63e90003',
  customer: '0199a3f1-0a28-7b21-9c04-5c9074fa1004',
  paymentMethod: '0199a3f1-4e10-7b21-9c05-6da1850b2005',
  formerPaymentMethod: '0199a3f1-9200-7b21-9c06-7eb2961c3013',
  product: '0199a3f2-3870-7c32-8d06-7eb2961c3006',
  price: '0199a3f2-7c58-7c32-8d07-8fc3a72d4007',
  session: '0199a3f3-22a8-7d43-9e08-90d4b83e5008',
  payment: '0199a3f3-6690-7d43-9e09-a1e5c94f6009',
  subscription: '0199a3f3-a9f0-7d43-9e0a-b2f6da50700a',
  authentication: '0199a3f3-cc28-7d43-9e0c-d418fc72900e',
  refund: '0199a3f3-ee60-7d43-9e0b-c307eb61800b',
  batch: '0199a3f4-3138-7e54-8f0c-d418fc72900c',
  terminal: '0199a3f4-7520-7e54-8f0d-d529fd83a010',
  subscriptionItem: '0199a3f4-b908-7e54-8f0e-e6300e94b011',
  pause: '0199a3f4-fcf0-7e54-8f0f-f7411fa5c012',
  event: '0199a3f5-0000-7f65-900d-e5290d83a00d',
  webhookEndpoint: '0199a3f5-87d0-7f65-900f-a72b3f05c011',
  request: '0199a3f5-43e8-7f65-900e-f63a1e94b00e',
} as const

/** The id of the payer of `EXAMPLE_IDS.session` on the public paths. */
export const EXAMPLE_PAYER_ID = '6e4f1d1c-2b0a-5c7e-9f35-8a41d07be00f'

/** The token of `EXAMPLE_IDS.session`. */
export const EXAMPLE_SESSION_TOKEN = '4f0c9a7be2d1583640aef7c15b92d8e36a7c01f4be5932d87e60c4a1f3b85d29'

/** Example credentials; they have the form of real ones. */
export const EXAMPLE_CREDENTIALS = {
  accessToken: 'rc_at_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0ab',
  refreshToken: 'rc_rt_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0ab',
  clientSecret: 'rc_cs_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0ab',
  browserToken: 'rc_bt_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0ab',
} as const
