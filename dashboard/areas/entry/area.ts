import type { Area } from '../../kit/area.ts'

export const entryArea: Area = {
  pages: [],
  personPages: [
    { path: '', isPublic: false, load: () => import('./businesses-page.tsx') },
    { path: 'sign-in', isPublic: true, load: () => import('./sign-in-page.tsx') },
  ],
}
