import type { FrequencyLabel } from '../../../contract/dashboard/subscription-words.ts'

export const frCA: Record<FrequencyLabel | 'once', string> = {
  Daily: 'Chaque jour',
  Weekly: 'Chaque semaine',
  'Bi-Weekly': 'Aux deux semaines',
  Monthly: 'Chaque mois',
  Quarterly: 'Chaque trimestre',
  'Twice a Year': 'Deux fois par année',
  Annual: 'Chaque année',
  once: 'Une fois',
}
