import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { LiveRegions } from '../kit/announce.tsx'
import { freshMe, meQuery } from '../kit/me.ts'
import { NONCE } from '../kit/nonce.ts'
import { mayRetry } from '../kit/read.ts'
import { colors, theme } from '../kit/theme.ts'
import { ToastPlace } from '../kit/toast-place.tsx'
import { setSessionRefresh } from '../kit/transport.ts'
import { createDashboardRouter } from '../router.tsx'
import { PersonLocale } from './person-locale.tsx'

const client = new QueryClient({
  defaultOptions: { queries: { retry: mayRetry, staleTime: 5_000 }, mutations: { retry: false } },
})
const router = createDashboardRouter(client)

setSessionRefresh(async () => {
  const before = client.getQueryData(meQuery.queryKey)
  const me = await freshMe()
  // A different person has signed in: no data of the previous one may stay.
  if (before && before.user.id !== me.user.id) location.replace('/dashboard')
  client.setQueryData(meQuery.queryKey, me)
})

/** The frame around all pages. */
export function App() {
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={colors}
        defaultColorScheme="auto"
        getStyleNonce={() => NONCE}
      >
        <QueryClientProvider client={client}>
          <PersonLocale>
            <RouterProvider router={router} />
          </PersonLocale>
        </QueryClientProvider>
        <ToastPlace />
        <LiveRegions />
      </MantineProvider>
    </StrictMode>
  )
}
