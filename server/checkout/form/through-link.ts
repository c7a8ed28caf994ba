import { ApiError } from '../../lib/errors.ts'
import type { PayServices } from '../pay/pay-services.ts'

type LinkServices = Pick<PayServices, 'sessionTokens' | 'signUps'>

/**
 * Serves requests to the public session paths, including those with the token of a subscription's `checkout_url`, which
 * stands for the session that its page leads to. In that case, `serve` is called again with the session's own token.
 *
 * @throws ApiError `not_found`, `contract_unsigned`, `session_expired`, `session_cancelled`; any that `serve` throws
 * @see SUB-41
 */
export function throughLink(services: LinkServices) {
  return async <Result>(
    { token = '' }: { token?: string },
    serve: (token: string) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await serve(token)
    } catch (error) {
      const linked = isUnknown(error) ? await linkedToken(services, token) : null
      if (linked === null) throw error
      return serve(linked)
    }
  }
}

/** Whether something was not found. It may be a card or customer of a known session: then there is no link. */
const isUnknown = (error: unknown) => error instanceof ApiError && error.code === 'not_found'

async function linkedToken({ sessionTokens, signUps }: LinkServices, token: string): Promise<string | null> {
  const place = sessionTokens.open(token)
  const link = place && (await signUps.openLink(place))
  if (!link || 'contract' in link) return null
  if ('session' in link) return sessionTokens.make(link.session)
  if ('signAt' in link)
    throw new ApiError('contract_unsigned', {
      message: 'The contract is not signed yet. The customer signs it on the hosted page.',
    })
  if ('expiredOf' in link)
    throw new ApiError('session_expired', {
      message: 'The subscription needs no card any more',
      extra: { status: 'EXPIRED' },
    })
  if ('endedOf' in link)
    throw new ApiError('session_expired', {
      message: 'The link was valid for 30 days and has expired. The business can send another one.',
      extra: { status: 'EXPIRED' },
    })
  throw new ApiError('session_cancelled', {
    message: 'revokedBy' in link ? 'The business has revoked the link' : 'The subscription was canceled',
    extra: { status: 'CANCELLED' },
  })
}
