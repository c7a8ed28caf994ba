import type { FrequencyLabel } from '../../../contract/dashboard/subscription-words.ts'

export const es: Record<FrequencyLabel | 'once', string> = {
  Daily: 'Diaria',
  Weekly: 'Semanal',
  'Bi-Weekly': 'Cada dos semanas',
  Monthly: 'Mensual',
  Quarterly: 'Trimestral',
  'Twice a Year': 'Dos veces al año',
  Annual: 'Anual',
  once: 'Una vez',
}
