import type { Area } from '../../kit/area.ts'

const TESTING = { permission: 'test.use', stagingOnly: true } as const

export const testToolsArea: Area = {
  pages: [
    {
      ...TESTING,
      path: 'test',
      nav: { group: 'developers', label: 'testTools', order: 70 },
      load: () => import('./test-page.tsx'),
    },
    { ...TESTING, path: 'test/mailbox', load: () => import('./mailbox-page.tsx') },
    { ...TESTING, path: 'test/mailbox/$id', load: () => import('./letter-page.tsx') },
    { ...TESTING, path: 'test/ledger', load: () => import('./ledger-page.tsx') },
  ],
}
