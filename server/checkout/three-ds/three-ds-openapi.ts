import { EXAMPLE_IDS, EXAMPLE_SESSION_TOKEN } from '../../../contract/example-ids.ts'
import { DddAuthenticateResponse, DddInitResponse } from '../../../contract/three-ds.ts'
import type { RouteDocument } from '../../http/route.ts'
import type { ErrorCode } from '../../lib/errors.ts'
import { EXAMPLE_UNCODED_CARD_DATA } from '../../vault/card.ts'
import { CLOSED_SESSION } from '../sessions/session-openapi.ts'

// The API reference of the public 3-D Secure paths.

const group = 'Payment form'
const DDD_SESSION_ID = `ddd_${EXAMPLE_IDS.authentication}`
const SERVER_TRANSACTION_ID = '8a880dc0-d2d2-4067-bcb1-b08d1690b26e'
const REFUSALS: ErrorCode[] = [
  ...CLOSED_SESSION,
  'payment_in_progress',
  'three_ds_failed',
  'DDD_NOT_SUPPORTED',
  'three_ds_expired',
  'three_ds_server_error',
]

export const INIT_DOCUMENT: RouteDocument = {
  name: 'initThreeDs',
  group,
  summary: 'Begin to authenticate the payer',
  description: `Takes the card without its security code, and the amount that \`pay\` takes. \`not_required\`: call \`pay\` at once. A session allows ten; a
new one ends the session's unfinished ones.`,
  example: {
    session_token: EXAMPLE_SESSION_TOKEN,
    payment_method_type: 'new_card',
    amount: 25.5,
    cardData: EXAMPLE_UNCODED_CARD_DATA,
  },
  responses: {
    200: {
      description: 'The authentication, or that none is needed.',
      body: DddInitResponse,
      example: {
        ok: true,
        status: 'method_required',
        ddd_session_id: DDD_SESSION_ID,
        three_ds_server_trans_id: SERVER_TRANSACTION_ID,
        message_version: '2.2.0',
        method: { url: `https://form.rialto.example/customer/ddd/method/${DDD_SESSION_ID}`, timeout_ms: 10_000 },
        expires_at: '2026-09-30T12:15:00.000Z',
      },
    },
  },
  refusals: REFUSALS,
}

export const AUTHENTICATE_DOCUMENT: RouteDocument = {
  name: 'authenticatePayer',
  group,
  summary: 'Authenticate the payer, or report how far it is',
  description: `The first call sends the request to the bank; any number of later ones report. After a challenge was shown, call it every three
seconds, or when \`retry_after_ms\` has passed. \`pay\` uses an authentication once, for the same card, amount and currency,
before \`pay_before\`.`,
  example: {
    session_token: EXAMPLE_SESSION_TOKEN,
    ddd_session_id: DDD_SESSION_ID,
    three_ds_comp_ind: 'Y',
    browser: {
      javascript_enabled: true,
      java_enabled: false,
      language: 'fr-CA',
      color_depth: '24',
      screen_height: '844',
      screen_width: '390',
      tz: '300',
      user_agent: 'Mozilla/5.0',
      challenge_window_size: '05',
    },
    contact: { email: 'ana@example.com' },
  },
  responses: {
    200: {
      description: 'Authenticated, a challenge to show, or still in progress.',
      body: DddAuthenticateResponse,
      example: {
        ok: true,
        status: 'authenticated',
        trans_status: 'Y',
        eci: '05',
        message_version: '2.2.0',
        ds_trans_id: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
        liability_shift: true,
        pay_before: '2026-09-30T12:11:00.000Z',
      },
    },
  },
  refusals: REFUSALS,
}
