import { type Area, readsList } from '../../kit/area.ts'

export const contractsArea: Area = {
  pages: [
    {
      path: 'contracts',
      permission: 'contracts.read',
      nav: { group: 'recurring', label: 'contracts', order: 40 },
      reads: readsList('GET /contracts'),
      load: () => import('./contracts-page.tsx'),
    },
    { path: 'contracts/new', permission: 'contracts.write', load: () => import('./new-contract-page.tsx') },
    { path: 'contracts/$id', permission: 'contracts.read', load: () => import('./contract-page.tsx') },
  ],
}
