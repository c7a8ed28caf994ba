import { ApiError } from '../lib/errors.ts'
import { PUBLIC_PATHS } from './family.ts'
import { publicAccess, type Route, route } from './route.ts'

/**
 * Returns the route for people who open the API's address in a browser: staging redirects to the reference. Programs
 * get 404.
 */
export function rootRoute({ environment }: { environment: 'staging' | 'production' }): Route {
  return route({
    method: 'GET',
    path: '/',
    family: PUBLIC_PATHS,
    access: publicAccess,
    browsers: 'anywhere',
    handle({ accept }) {
      if (!wantsPage(accept)) throw new ApiError('not_found', { message: 'No such path' })
      if (environment === 'staging') return { status: 302, headers: { location: '/docs', vary: 'accept' }, body: '' }
      const headers = { 'content-type': 'text/plain; charset=utf-8', vary: 'accept' }
      return { headers, body: 'This is the address of a payment API.\n' }
    },
  })
}

const wantsPage = (accept: string | null) => /\btext\/html\b/i.test(accept ?? '')
