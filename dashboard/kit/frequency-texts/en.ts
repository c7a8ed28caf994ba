import type { FrequencyLabel } from '../../../contract/dashboard/subscription-words.ts'

export const en = {
  Daily: 'Daily',
  Weekly: 'Weekly',
  'Bi-Weekly': 'Bi-Weekly',
  Monthly: 'Monthly',
  Quarterly: 'Quarterly',
  'Twice a Year': 'Twice a Year',
  Annual: 'Annual',
  once: 'One time',
} satisfies Record<FrequencyLabel | 'once', string>
