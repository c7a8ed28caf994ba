import type { MessageVersion, ThreeDsServer } from '../three-ds-server.ts'
import type { FakeThreeDsServer } from './fake-three-ds-server.ts'
import { challengeInquiry, SERVER } from './messages.ts'
import { authenticationRequest, cardLookup, ORDINARY_CARD } from './requests.ts'

/** Returns each method of the port, called with a given response of the server. */
export function scriptedCalls(given: () => { fake: FakeThreeDsServer; server: ThreeDsServer }) {
  const serverWith = (response: object) => {
    const { fake, server } = given()
    fake.respond(response)
    return server
  }
  return {
    lookUp: (response: object, number = ORDINARY_CARD) => serverWith(response).lookUp(cardLookup(number)),
    authenticate: (response: object, change: { messageVersion?: MessageVersion; reason?: 'add_card' } = {}) =>
      serverWith(response).authenticate(authenticationRequest({ serverTransactionId: SERVER, ...change })),
    challengeResult: (response: object, change: { reason?: 'add_card' } = {}) =>
      serverWith(response).challengeResult(challengeInquiry(change)),
  }
}
